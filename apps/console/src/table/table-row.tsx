import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { ReadOnlyContext } from '../records/read-only.tsx'
import { classNames } from '../ui/class-names.ts'
import { Check } from '../ui/field.tsx'
import text from '../ui/text.module.css'
import type { Column } from './column.ts'
import styles from './record-table.module.css'
import type { Selection } from './use-selection.ts'

interface TableRowProps<Row> {
  readonly index: number
  readonly row: Row | undefined
  readonly columns: readonly Column<Row>[]
  readonly name: (row: Row) => string
  readonly selection: Selection<Row>
  readonly select: (index: number, isSelected: boolean, withShift: boolean) => void
  readonly isTabStop: boolean
  readonly focus: (index: number) => void
  readonly open: ((index: number) => void) | undefined
  readonly hrefOf: ((row: Row) => string) | undefined
  readonly reasonOf: (row: Row) => string | undefined
}

export function TableRow<Row extends { readonly id: string }>(props: TableRowProps<Row>) {
  const { index, row, columns, name, selection, select, isTabStop, focus, open, hrefOf, reasonOf } = props
  const { texts } = useConsole()
  if (!row)
    return (
      <tr aria-rowindex={index + 2}>
        <td />
        {columns.map(({ key }) => (
          <td key={key}>
            <span class={styles.pending} />
          </td>
        ))}
      </tr>
    )
  const isSelected = selection.has(row.id)
  return (
    <ReadOnlyContext.Provider value={reasonOf(row)}>
      <tr
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        data-row={index}
        onFocusIn={() => focus(index)}
      >
        <td>
          <Check
            label={texts.tables.select(name(row))}
            checked={isSelected}
            change={(isChecked, withShift) => select(index, isChecked, withShift)}
            tabIndex={isTabStop ? 0 : -1}
          />
        </td>
        {columns.map(({ key, isNumber, render }, column) => {
          const content = render(row)
          if (column > 0)
            return (
              <td key={key} class={classNames(isNumber && styles.number)}>
                {content}
              </td>
            )
          return (
            <th key={key} scope="row">
              {hrefOf ? (
                <Link
                  class={classNames(text.plain, text.cut, styles.name)}
                  href={hrefOf(row)}
                  tabIndex={isTabStop ? 0 : -1}
                  onClick={(event: MouseEvent) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return
                    event.preventDefault()
                    open?.(index)
                  }}
                >
                  {content}
                </Link>
              ) : (
                <span class={classNames(text.cut, styles.name)}>{content}</span>
              )}
            </th>
          )
        })}
      </tr>
    </ReadOnlyContext.Provider>
  )
}
