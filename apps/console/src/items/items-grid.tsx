import { MAX_LINE_ITEMS } from '@sales-crm/core/browser'
import { useMemo } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useLatest } from '../keyboard/use-latest.ts'
import type { MenuGroup } from '../ui/menu.tsx'
import { showError, showReason } from '../ui/toasts.tsx'
import { type Cell, isEdited, NEW_LINE } from './cells.ts'
import { EDITED_COLUMNS, type EditedColumn, ITEM_COLUMNS } from './item-columns.ts'
import { itemKeys } from './item-keys.ts'
import { ItemRow, type RowHandlers } from './item-row.tsx'
import styles from './items.module.css'
import type { ItemsProps } from './items-props.ts'
import { copyOfItem } from './new-items.ts'
import { NewLineRow } from './new-line-row.tsx'
import type { NewLineChoice } from './product-field.tsx'
import { faultKey, useGrid } from './use-grid.ts'
import { type LineActions, useGridKeys } from './use-grid-keys.ts'
import type { ItemErrors } from './use-item-save.ts'
import { useNewLine } from './use-new-line.ts'

/** The items of a deal in a grid that keys move through, and that is typed into. */
export function ItemsGrid(props: ItemsProps) {
  const { items, readItems, notation, changes, save, isReadOnly } = props
  const { formatNumber } = useConsole()
  const { itemTexts } = notation
  const newLine = useNewLine({ ...props, askPrice, reopen })
  const isFull = items.length >= MAX_LINE_ITEMS
  const hasNewLine = !isReadOnly && !isFull
  const keys = items.map((item) => itemKeys.keyOf(item))
  const newAt = keys.indexOf(newLine.below.value ?? '') + 1 || keys.length
  const lines = hasNewLine ? keys.toSpliced(newAt, 0, NEW_LINE) : keys
  const itemOf = (line: string) => readItems().find((item) => itemKeys.keyOf(item) === line)

  const grid = useGrid({
    lines,
    typeNewLine: (text) => newLine.type(newLine.typed + text),
    textOf: ({ line, name }) => {
      const item = itemOf(line)
      return item && isEdited(name) ? ITEM_COLUMNS[name].format(item, notation) : ''
    },
    save: (cell, typed) => {
      const item = itemOf(cell.line)
      if (!item || !isEdited(cell.name)) return undefined
      const { name } = cell
      const refuse = (errors: ItemErrors) => {
        for (const [column, reason] of Object.entries(errors))
          if (!grid.table.current) showError(notation.texts.errors.notSaved(reason))
          else grid.setFault({ line: cell.line, name: column as EditedColumn }, { typed, reason })
      }
      return save(item, { [name]: typed }, refuse)?.[name]
    },
  })

  const actions: LineActions = {
    remove(line) {
      const item = itemOf(line)
      const next = lines[lines.indexOf(line) + 1] ?? lines[lines.indexOf(line) - 1]
      if (!item) return
      changes.remove(item)
      grid.focus({ line: next ?? NEW_LINE, name: grid.at().name })
    },
    move(line, by) {
      const item = itemOf(line)
      const to = keys.indexOf(line) + by
      if (item && to >= 0 && to < keys.length) changes.move(item, to)
      grid.focus(grid.at())
    },
    copy(line) {
      const item = itemOf(line)
      if (isFull) showReason(itemTexts.full(formatNumber(MAX_LINE_ITEMS)))
      if (!item || isFull) return
      const key = crypto.randomUUID()
      changes.add(key, copyOfItem(key, item), { position: keys.indexOf(line) + 1, isSummed: false })
      grid.focus({ line: key, name: grid.at().name })
    },
    addBelow(line) {
      if (line !== NEW_LINE) newLine.below.set(line === keys.at(-1) ? undefined : line)
      if (hasNewLine) grid.open({ line: NEW_LINE, name: 'name' })
      else showReason(itemTexts.full(formatNumber(MAX_LINE_ITEMS)))
    },
    paste(rows, line) {
      const last = newLine.addRows(rows, line === NEW_LINE ? undefined : line)
      if (last !== undefined && !grid.isEditing()) grid.focus({ line: last, name: 'name' })
    },
  }
  /** Asks for the price of an item that is known to be no product only after the next line has begun. */
  function askPrice(line: string): void {
    if (grid.isEditing() && grid.at().line === NEW_LINE && newLine.typed === '')
      grid.open({ line, name: 'unit_price_cts' })
  }
  function reopen(line: string): void {
    const isFree = grid.edited?.cell.line === line || document.activeElement === document.body
    if (isFree) grid.open({ line: NEW_LINE, name: 'name' })
  }
  function take(choice: NewLineChoice, goesOn: boolean): void {
    const { key, lacksPrice } = newLine.add(choice)
    if (goesOn) grid.open({ line: key, name: 'quantity' })
    else if (lacksPrice) grid.open({ line: key, name: 'unit_price_cts' })
  }
  const { onKeyDown, onPaste } = useGridKeys({
    ...{ grid, lines, actions, isReadOnly },
    leave: () => document.getElementById('items')?.focus(),
  })

  const openCell = useLatest((line: string, name: Cell['name']) => {
    if (grid.edited?.cell.line === line && grid.edited.cell.name === name) return
    if (isReadOnly || !isEdited(name)) grid.focus({ line, name })
    else grid.open({ line, name })
  })
  const reach = useLatest((line: string, name: Cell['name']) => grid.reach({ line, name }))
  const type = useLatest(grid.type)
  const leave = useLatest((line: string, name: Cell['name']) => grid.leave({ line, name }))
  const menuOf = useLatest((line: string): readonly MenuGroup[] => buildMenu(line))
  const handlers: RowHandlers = useMemo(() => ({ open: openCell, reach, type, leave, menuOf }), [])

  function buildMenu(line: string): readonly MenuGroup[] {
    const run = (act: () => void) => () => {
      grid.focus({ line, name: 'actions' })
      act()
    }
    return [
      {
        actions: [
          {
            label: itemTexts.newLine,
            icon: 'plus',
            shortcut: 'Ctrl ⏎',
            select: run(() => actions.addBelow(line)),
          },
          { label: itemTexts.copy, icon: 'copy', shortcut: 'Ctrl D', select: run(() => actions.copy(line)) },
          {
            label: itemTexts.moveUp,
            icon: 'up',
            shortcut: 'Alt ↑',
            select: run(() => actions.move(line, -1)),
          },
          {
            label: itemTexts.moveDown,
            icon: 'down',
            shortcut: 'Alt ↓',
            select: run(() => actions.move(line, 1)),
          },
        ],
      },
      {
        actions: [
          {
            ...{ label: itemTexts.remove, icon: 'trash', shortcut: 'Del', isRisky: true },
            select: run(() => actions.remove(line)),
          },
        ],
      },
    ]
  }

  const at = grid.at()
  const edited = grid.edited?.cell
  const rows = items.map((item, index) => {
    const line = keys[index] ?? item.id
    const isEditedHere = edited?.line === line && isEdited(edited.name)
    return (
      <ItemRow
        key={line}
        {...{ item, line, notation, isReadOnly, handlers }}
        at={at.line === line ? at.name : undefined}
        edited={isEditedHere && isEdited(edited.name) ? edited.name : undefined}
        editedText={isEditedHere ? (grid.edited?.text ?? '') : ''}
        isWhole={isEditedHere && (grid.edited?.isWhole ?? false)}
        faultOf={Object.fromEntries(
          EDITED_COLUMNS.map((column) => [column, grid.faults[faultKey(line, column)]]),
        )}
      />
    )
  })
  const newRow = (
    <NewLineRow
      key={NEW_LINE}
      newLine={newLine}
      isAt={at.line === NEW_LINE}
      isEdited={edited?.line === NEW_LINE}
      open={() => grid.open({ line: NEW_LINE, name: 'name' })}
      reach={() => at.line === NEW_LINE || grid.reach({ line: NEW_LINE, name: 'name' })}
      take={take}
      cancel={() => {
        newLine.reset()
        grid.cancel()
      }}
      leave={() => grid.leave({ line: NEW_LINE, name: 'name' })}
    />
  )
  return (
    <table
      ref={grid.table}
      class={styles.grid}
      {...{ role: 'grid', 'aria-readonly': isReadOnly }}
      aria-labelledby="items"
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    >
      <thead>
        <tr>
          {[...EDITED_COLUMNS, 'total_cts' as const, 'actions' as const].map((column) => (
            <th key={column} scope="col" class={styles[column]}>
              <span class={column === 'actions' ? styles.hidden : undefined}>
                {itemTexts.columns[column]}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{hasNewLine ? rows.toSpliced(newAt, 0, newRow) : rows}</tbody>
      {isFull && !isReadOnly && (
        <tfoot>
          <tr>
            <td colSpan={8} class={styles.full}>
              {itemTexts.full(formatNumber(MAX_LINE_ITEMS))}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}
