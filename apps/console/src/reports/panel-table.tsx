import { Link } from 'wouter'
import { classNames } from '../ui/class-names.ts'
import { useMedia } from '../ui/use-media.ts'
import type { ReportCell, ReportTable } from './report-table.ts'
import styles from './reports.module.css'

/** Longer figures may break, so that the table stays in its panel. */
const MAX_UNBROKEN = 16

interface PanelTableProps {
  readonly label: string
  readonly table: ReportTable
  /** True if the first column takes most of the room. */
  readonly hasLongNames?: boolean
  /** True for more amounts than a phone has room for: they scroll there. */
  readonly hasManyAmounts?: boolean
}

export function PanelTable({ hasManyAmounts, ...props }: PanelTableProps) {
  const isPhone = useMedia('(max-width: 40rem)')
  if (!hasManyAmounts || !isPhone) return <Table {...props} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <div class={styles.scrolling} tabIndex={0}>
      <Table {...props} />
    </div>
  )
}

function Table({ label, table, hasLongNames }: Omit<PanelTableProps, 'hasManyAmounts'>) {
  const { columns, rows } = table
  const classOf = (index: number) => (columns[index]?.isNumber ? styles.number : undefined)
  return (
    <table class={classNames(styles.table, hasLongNames && styles.longNames)} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column.label} scope="col" class={classOf(index)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [head, ...cells] }) => (
          <tr key={key}>
            <th scope="row" title={head?.title}>
              {head && <CellText cell={head} />}
            </th>
            {cells.map((cell, index) => (
              <td
                key={columns[index + 1]?.label}
                class={classNames(classOf(index + 1), cell.text.length > MAX_UNBROKEN && styles.breakable)}
                title={cell.title}
              >
                <CellText cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Names in another direction do not turn what is around them. */
function CellText({ cell }: { readonly cell: ReportCell }) {
  const text = <bdi>{cell.text}</bdi>
  return cell.href === undefined ? text : <Link href={cell.href}>{text}</Link>
}
