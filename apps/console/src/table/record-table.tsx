import { useVirtualizer } from '@tanstack/react-virtual'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useLocation, useSearch } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import type { ListPosition } from '../records/list-position.ts'
import { LoadFault } from '../shell/load-fault.tsx'
import { classNames } from '../ui/class-names.ts'
import { Check } from '../ui/field.tsx'
import { announce } from '../ui/live-region.tsx'
import text from '../ui/text.module.css'
import { type Column, chooseColumns } from './column.ts'
import styles from './record-table.module.css'
import { TableHead } from './table-head.tsx'
import { useRestoredScroll } from './use-restored-scroll.ts'
import { type RowsSource, useRows } from './use-rows.ts'
import type { Selection } from './use-selection.ts'
import { useTableKeys } from './use-table-keys.ts'

interface RecordTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly source: RowsSource<Row>
  readonly nameOf: (row: Row) => string
  /** The page of a row. Without it, rows have none. */
  readonly hrefOf?: (row: Row) => string
  readonly selection: Selection<Row>
  readonly empty: ComponentChildren
}

const ROW_PX = { fine: 36, coarse: 48 }
/** Until the rows are there, as many are shown as empty ones. */
const MAX_SKELETON_ROWS = 12

/** A table of any number of records, of which the visible ones are in the document. */
export function RecordTable<Row extends { readonly id: string }>(props: RecordTableProps<Row>) {
  const { label, columns, source, nameOf, hrefOf, selection, empty } = props
  const { texts } = useConsole()
  const { params } = useViewParams()
  const scroller = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const rows = useRows(source, range.first, range.last)
  const shown = chooseColumns(columns, params.get('columns') ?? undefined)
  const rowPx = matchMedia('(pointer: coarse), (max-width: 40rem)').matches ? ROW_PX.coarse : ROW_PX.fine
  const { firstPage, total } = rows
  const virtualizer = useVirtualizer({
    count: firstPage.data ? total : MAX_SKELETON_ROWS,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => setRange({ first, last }), [first, last])
  useEffect(() => {
    if (!firstPage.data) return
    const timer = setTimeout(() => announce(texts.tables.found(total)), 500)
    return () => clearTimeout(timer)
  }, [total, firstPage.data === undefined])
  useRestoredScroll(scroller, firstPage.data !== undefined)
  const openRow = useOpenRow(hrefOf, (index) => rows.rowAt(index), total)
  const keys = useTableKeys({
    total,
    rowAt: rows.rowAt,
    open: openRow,
    selection,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  })

  if (firstPage.error && !firstPage.data)
    return <LoadFault error={firstPage.error} retry={firstPage.refetch} />
  if (firstPage.data && total === 0) return <div class={styles.empty}>{empty}</div>
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div ref={scroller} class={classNames(styles.scroller, firstPage.isPlaceholderData && styles.stale)}>
      <table class={styles.table} aria-label={label} aria-rowcount={total + 1}>
        <TableHead
          columns={shown}
          order={source.order}
          selectAll={{
            isChecked: selection.size > 0,
            change: (isChecked) => {
              if (!isChecked) selection.clear()
              else
                for (const { index } of items) {
                  const row = rows.rowAt(index)
                  if (row) selection.add(row)
                }
            },
          }}
        />
        <tbody>
          <SpacerRow height={before} columns={shown.length + 1} />
          {items.map(({ index }) => (
            <TableRow
              key={index}
              index={index}
              row={rows.rowAt(index)}
              columns={shown}
              name={nameOf}
              selection={selection}
              isTabStop={index === keys.tabStop}
              focus={keys.focus}
              open={hrefOf && openRow}
              hrefOf={hrefOf}
            />
          ))}
          <SpacerRow height={after} columns={shown.length + 1} />
        </tbody>
      </table>
    </div>
  )
}

/** In place of the rows that are not in the document. */
function SpacerRow({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height === 0) return null
  return (
    <tr class={styles.spacer} style={{ height }}>
      <td colSpan={columns} />
    </tr>
  )
}

interface TableRowProps<Row> {
  readonly index: number
  readonly row: Row | undefined
  readonly columns: readonly Column<Row>[]
  readonly name: (row: Row) => string
  readonly selection: Selection<Row>
  readonly isTabStop: boolean
  readonly focus: (index: number) => void
  readonly open: ((index: number) => void) | undefined
  readonly hrefOf: ((row: Row) => string) | undefined
}

function TableRow<Row extends { readonly id: string }>(props: TableRowProps<Row>) {
  const { index, row, columns, name, selection, isTabStop, focus, open, hrefOf } = props
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
    <tr aria-rowindex={index + 2} aria-selected={isSelected} data-row={index} onFocusIn={() => focus(index)}>
      <td>
        <Check
          label={texts.tables.select(name(row))}
          checked={isSelected}
          change={() => selection.toggle(row)}
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
  )
}

const NEIGHBOURS = 50

/** Opens a row's page, which knows where the row stood in this list. */
function useOpenRow<Row extends { readonly id: string }>(
  hrefOf: ((row: Row) => string) | undefined,
  rowAt: (index: number) => Row | undefined,
  total: number,
): (index: number) => void {
  const [path, navigate] = useLocation()
  const search = useSearch()
  return (index) => {
    const row = rowAt(index)
    if (!row || !hrefOf) return
    const start = Math.max(0, index - NEIGHBOURS)
    const ids: string[] = []
    for (let at = start; at <= index + NEIGHBOURS; at++) {
      const id = rowAt(at)?.id
      if (id === undefined && at > index) break
      ids.push(id ?? '')
    }
    const list: ListPosition = { href: `${path}${search && `?${search}`}`, total, index, ids, start }
    navigate(hrefOf(row), { state: { list } })
  }
}
