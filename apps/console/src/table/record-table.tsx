import type { ComponentChildren, RefObject } from 'preact'
import { useConsole } from '../app/console-context.ts'
import { AllLine } from '../bulk/all-line.tsx'
import { LoadError } from '../shell/load-boundary.tsx'
import { classNames } from '../ui/class-names.ts'
import type { Column } from './column.ts'
import { GroupRow } from './groups/group-row.tsx'
import { useGroupTexts } from './groups/texts.ts'
import type { GroupedRows } from './groups/use-groups.ts'
import { isSectionSelected, useSectionSelection } from './groups/use-section-selection.ts'
import type { RowsSource } from './list-source.ts'
import styles from './record-table.module.css'
import { selectAllState } from './select-all-state.ts'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useOpenRow } from './use-open-row.ts'
import { useRangeSelection } from './use-range-selection.ts'
import type { Selection, ShownRows } from './use-selection.ts'
import { useTableKeys } from './use-table-keys.ts'
import { useVisibleRows } from './use-visible-rows.ts'

/** The selection of all rows that match, whether or not they are loaded. */
export interface MatchingSelection {
  readonly isAll: boolean
  change(isAll: boolean, total: number): void
}

interface RecordTableProps<Row> {
  readonly label: string
  /** Those that are shown. */
  readonly columns: readonly Column<Row>[]
  readonly source: RowsSource<Row>
  /** Undefined for a table without groups. */
  readonly groups: GroupedRows<Row> | undefined
  readonly nameOf: (row: Row) => string
  /** The page of a row. Without it, rows have none. */
  readonly hrefOf?: (row: Row) => string
  readonly selection: Selection<Row>
  readonly empty: ComponentChildren
  /** Beside the number of rows, below them. */
  readonly foot?: ComponentChildren
  /** Why a row cannot be changed. */
  readonly reasonOf: (row: Row) => string | undefined
  /** Selects all that match; undefined if the member may not change them. */
  readonly matching: MatchingSelection | undefined
  /** Gets what is shown. */
  readonly shownRef: RefObject<ShownRows<Row> | null>
}

/** A table of any number of records, of which the visible ones are in the document. */
export function RecordTable<Row extends { readonly id: string }>(props: RecordTableProps<Row>) {
  const { label, columns, source, nameOf, hrefOf, reasonOf, selection, empty, foot, matching, groups } = props
  const groupTexts = useGroupTexts()
  const { table, open, select, selectSection, keys } = useTableRows(props)
  const { total, lines, rowAt, items } = table

  function toggleLoaded(): void {
    if (table.loaded.every(({ id }) => selection.has(id))) selection.clear()
    else selection.set(table.loaded, true)
  }

  if (table.error) return <LoadError error={table.error} retry={table.retry} />
  if (table.isLoaded && total === 0) return <div class={styles.empty}>{empty}</div>
  const isLoadedSelected =
    total > table.loaded.length &&
    table.loaded.length > 1 &&
    table.loaded.every(({ id }) => selection.has(id))
  return (
    <>
      {matching && (matching.isAll || isLoadedSelected) && (
        <AllLine
          loaded={table.loaded.length}
          total={total}
          isAll={matching.isAll}
          change={(isAll) => matching.change(isAll, total)}
        />
      )}
      <div ref={table.scroller} class={classNames(styles.scroller, table.isStale && styles.stale)}>
        <table class={styles.table} aria-label={label} aria-rowcount={lines.count + 1}>
          <TableHead
            columns={columns}
            order={source.order}
            selectAll={{
              ...(matching?.isAll
                ? { isChecked: true, isMixed: false }
                : selectAllState(
                    selection,
                    table.loaded.map(({ id }) => id),
                    total,
                  )),
              change: toggleLoaded,
            }}
          />
          <tbody>
            <SpacerRow height={table.before} columns={columns.length + 1} />
            {items.map(({ index }) => {
              const line = lines.at(index)
              const group = line?.row === undefined ? groups?.parts[line?.section ?? -1] : undefined
              return group && line ? (
                <GroupRow
                  key={`group ${group.key}`}
                  index={index}
                  group={group}
                  columns={columns.length}
                  isTabStop={index === keys.tabStop}
                  isSelected={isSectionSelected(table.cachedRows(line.section), group.count, selection)}
                  select={(isSelected) => selectSection(line.section, isSelected)}
                  focus={keys.focus}
                  fold={(isFolded) => groups?.fold(line.section, isFolded)}
                />
              ) : (
                <TableRow
                  key={rowAt(index)?.id ?? index}
                  index={index}
                  row={rowAt(index)}
                  columns={columns}
                  name={nameOf}
                  selection={selection}
                  select={select}
                  isTabStop={index === keys.tabStop}
                  focus={keys.focus}
                  open={hrefOf && open}
                  hrefOf={hrefOf}
                  reasonOf={reasonOf}
                />
              )
            })}
            <SpacerRow height={table.after} columns={columns.length + 1} />
          </tbody>
          <TableFoot total={table.isLoaded ? total : undefined} columns={columns.length}>
            {foot}
            {groups?.isWhole === false && groupTexts.isPartial}
          </TableFoot>
        </table>
      </div>
    </>
  )
}

/** The visible rows, and the keys that reach and open them. */
function useTableRows<Row extends { readonly id: string }>(props: RecordTableProps<Row>) {
  const { source, groups, hrefOf, reasonOf, selection, shownRef, matching } = props
  const table = useVisibleRows(source, groups)
  const { total, lines, rowAt, items, scrollTo } = table
  const openRow = useOpenRow(hrefOf, (row) => rowAt(lines.lineOfRow(row)), lines.rowCount)
  const open = (index: number) => openRow(lines.rowsBefore(index))
  const select = useRangeSelection({ ...table, selection })
  const selectSection = useSectionSelection({ ...table, selection })
  function selectMore(): void {
    const { loaded } = table
    const isLoadedSelected = loaded.every(({ id }) => selection.has(id))
    if (isLoadedSelected && total > loaded.length) matching?.change(true, total)
    else selection.set(loaded, true)
  }
  const keys = useTableKeys({
    ...{ lines, rowAt, open, reasonOf },
    ...{ selection, select, scrollTo, selectMore },
    fold: groups?.fold,
  })
  shownRef.current = {
    atHand: keys.rowAtHand,
    find: (id) => items.map(({ index }) => rowAt(index)).find((row) => row?.id === id),
    focusAtHand: keys.focusAtHand,
  }
  return { table, open, select, selectSection, keys }
}

interface TableFootProps {
  /** Number of the records; undefined while they are read. */
  readonly total: number | undefined
  readonly columns: number
  readonly children: ComponentChildren
}

function TableFoot({ total, columns, children }: TableFootProps) {
  const { texts } = useConsole()
  return (
    <tfoot>
      <tr>
        <td />
        <td colSpan={columns}>
          <span class={styles.foot}>
            {total !== undefined && texts.tables.count(total)}
            {children}
          </span>
        </td>
      </tr>
    </tfoot>
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
