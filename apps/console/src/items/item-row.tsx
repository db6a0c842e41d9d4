import type { LineItem } from '@sales-crm/client'
import { memo } from 'preact/compat'
import { useConsole } from '../app/console-context.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { FieldError } from '../ui/field.tsx'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import type { MenuGroup } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import { CellEditor } from './cell-editor.tsx'
import type { CellName } from './cells.ts'
import { EDITED_COLUMNS, type EditedColumn, ITEM_COLUMNS, type ItemNotation } from './item-columns.ts'
import styles from './items.module.css'
import { useItemTexts } from './texts.ts'
import type { Fault } from './use-grid.ts'

/** What a row asks of its grid: the functions stay the same, so that other rows are not drawn again. */
export interface RowHandlers {
  readonly open: (line: string, name: CellName) => void
  readonly reach: (line: string, name: CellName) => void
  readonly type: (text: string) => void
  readonly leave: (line: string, name: CellName) => void
  readonly menuOf: (line: string) => readonly MenuGroup[]
}

interface ItemRowProps {
  readonly item: LineItem
  readonly line: string
  readonly notation: ItemNotation
  /** The cell with the focus, if it is in this row. */
  readonly at: CellName | undefined
  readonly edited: EditedColumn | undefined
  /** With what the edited cell begins. */
  readonly editedText: string
  readonly isWhole: boolean
  readonly faultOf: Readonly<Partial<Record<EditedColumn, Fault>>>
  readonly isReadOnly: boolean
  readonly handlers: RowHandlers
}

/** An item of the grid, and the reasons for which its cells were refused. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, line, notation, at, edited, editedText, isWhole, faultOf, isReadOnly, handlers } = props
  const { texts } = useConsole()
  const itemTexts = useItemTexts()
  const attributesOf = (name: CellName) => ({
    tabIndex: at === name ? 0 : -1,
    ...(at === name && { 'data-at': true }),
    onFocus: () => handlers.reach(line, name),
    onClick: () => handlers.open(line, name),
  })
  const reasonId = (column: EditedColumn) => (faultOf[column] ? `fault-${line}-${column}` : undefined)
  const faults = EDITED_COLUMNS.filter((column) => faultOf[column])
  return (
    <>
      <tr class={classNames(at && styles.atRow)} data-item={line}>
        {EDITED_COLUMNS.map((column) => {
          const fault = faultOf[column]
          const isHere = edited === column
          return (
            <td
              key={column}
              {...attributesOf(column)}
              class={classNames(
                column !== 'name' && column !== 'billing_cycle' && styles.number,
                isHere && styles.editing,
                fault && !isHere && styles.refused,
              )}
              {...(isReadOnly && { 'aria-readonly': true })}
              {...(fault && { 'aria-invalid': true, 'aria-describedby': reasonId(column) })}
            >
              {isHere ? (
                <CellEditor
                  column={column}
                  label={itemTexts.cellOf(itemTexts.columns[column], item.name)}
                  text={editedText}
                  isWhole={isWhole}
                  reasonId={reasonId(column)}
                  type={handlers.type}
                  leave={() => handlers.leave(line, column)}
                />
              ) : (
                <span class={styles.value} title={column === 'name' ? item.name : undefined}>
                  {fault ? fault.typed : (ITEM_COLUMNS[column].display(item, notation) ?? '—')}
                  {column === 'name' && item.code && (
                    <span class={classNames(text.soft, text.tiny)}> {item.code}</span>
                  )}
                </span>
              )}
            </td>
          )
        })}
        <td {...attributesOf('total_cts')} class={classNames(styles.number, styles.total)}>
          {ITEM_COLUMNS.unit_price_cts.display({ ...item, unit_price_cts: item.total_cts }, notation)}
        </td>
        <td class={styles.actions}>
          {!isReadOnly && (
            <LazyMenu
              label={texts.actions.actionsFor(item.name)}
              align="end"
              trigger={
                <IconButton
                  small
                  icon="dots"
                  label={texts.actions.actionsFor(item.name)}
                  tabIndex={at === 'actions' ? 0 : -1}
                  onFocus={() => handlers.reach(line, 'actions')}
                  {...(at === 'actions' && { 'data-at': true })}
                />
              }
              groups={() => handlers.menuOf(line)}
            />
          )}
        </td>
      </tr>
      {faults.map((column) => (
        <tr key={column} class={styles.faultRow}>
          <td colSpan={8}>
            <FieldError id={reasonId(column)}>
              {itemTexts.columns[column]}: {faultOf[column]?.reason}
            </FieldError>
          </td>
        </tr>
      ))}
    </>
  )
}, isSameRow)

/** `faultOf` is another object each time, mostly an empty one. */
function isSameRow(a: ItemRowProps, b: ItemRowProps): boolean {
  const { faultOf: faultsA, ...restA } = a
  const { faultOf: faultsB, ...restB } = b
  const names = Object.keys(restA) as (keyof typeof restA)[]
  const isSameFault = EDITED_COLUMNS.every((column) => faultsA[column] === faultsB[column])
  return isSameFault && names.every((name) => restA[name] === restB[name])
}
