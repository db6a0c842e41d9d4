import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { classNames } from '../ui/class-names.ts'
import { Check } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Column } from './column.ts'
import { formatOrder, listSortColumns, pressColumn } from './list-order.ts'
import styles from './record-table.module.css'
import type { SelectAllState } from './select-all-state.ts'
import type { ListOrder } from './use-list-query.ts'

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly order: ListOrder | undefined
  readonly selectAll: SelectAllState & { readonly change: () => void }
}

export function TableHead<Row>({ columns, order, selectAll }: TableHeadProps<Row>) {
  const { texts } = useConsole()
  return (
    <thead>
      <tr aria-rowindex={1}>
        <td>
          <Check
            label={texts.tables.selectAll}
            checked={selectAll.isChecked}
            indeterminate={selectAll.isMixed}
            change={selectAll.change}
          />
        </td>
        {columns.map((column) => (
          <ColumnHead key={column.key} column={column} listOrder={order} />
        ))}
      </tr>
    </thead>
  )
}

interface ColumnHeadProps<Row> {
  readonly column: Column<Row>
  readonly listOrder: ListOrder | undefined
}

function ColumnHead<Row>({ column, listOrder }: ColumnHeadProps<Row>) {
  const { texts } = useConsole()
  const { set } = useViewParams()
  const { label, orderBy, firstOrder = 'asc', isNumber } = column
  const numberClass = classNames(isNumber && styles.number)
  if (orderBy === undefined)
    return (
      <th scope="col" class={numberClass}>
        {label}
      </th>
    )
  const columns = listOrder ? listSortColumns(listOrder) : []
  const place = columns.findIndex(({ name }) => name === orderBy)
  const order = columns[place]?.direction
  return (
    <th
      scope="col"
      class={numberClass}
      aria-sort={order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        class={styles.sorter}
        title={texts.tables.sortBy(label)}
        onClick={({ shiftKey }) => {
          const next = formatOrder(pressColumn(columns, orderBy, firstOrder, shiftKey))
          set({ sort: next.order_by, order: next.order })
        }}
      >
        {label}
        {order && <Icon name={order === 'asc' ? 'up' : 'down'} small />}
        {order && columns.length > 1 && <small>{place + 1}</small>}
      </button>
    </th>
  )
}
