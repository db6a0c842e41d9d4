import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { canCreate, explainReadOnly } from '../app/permissions.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { MatchingBar } from '../bulk/matching-bar.tsx'
import type { CreateDefaults } from '../create/create-defaults.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { ReadOnlyReason } from '../records/read-only.tsx'
import { Bar, BarEnd, Filters, Hints, usePageTitle } from '../shell/page-parts.tsx'
import { usePlaceDefaults, useShell } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import text from '../ui/text.module.css'
import { showReason } from '../ui/toasts.tsx'
import { ViewHead } from '../views/view-head.tsx'
import { type Column, chooseColumns } from './column.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { GroupMenu } from './groups/group-menu.tsx'
import { useGroupTexts } from './groups/texts.ts'
import { useGroups } from './groups/use-groups.ts'
import type { RowsSource } from './list-source.ts'
import styles from './record-table.module.css'
import { RecordTable } from './record-table.tsx'
import { ImportLink, TableActions } from './table-actions.tsx'
import { useMatchingSelection } from './use-matching-selection.ts'
import { type Selection, type ShownRows, useSelection } from './use-selection.ts'

interface TablePageProps<Row> {
  readonly kind: CreatableKind
  readonly columns: readonly Column<Row>[]
  readonly source: RowsSource<Row>
  readonly nameOf: (row: Row) => string
  readonly hrefOf?: (row: Row) => string
  readonly isFiltered: boolean
  /** The filters and the order that an export takes. */
  readonly exported: object
  /** What a new record begins with here. */
  readonly defaults?: CreateDefaults
  /** In place of the name of the kind. */
  readonly title?: ComponentChildren
  /** Stands beside the title, or the name of the view. */
  readonly besideTitle?: ComponentChildren
  readonly filters: ComponentChildren
  /** Beside the number of rows, below them. */
  readonly foot?: ComponentChildren
  /** The bar of the selected rows. */
  readonly selectionBar: (selection: Selection<Row>, shown: ShownRows<Row>) => ComponentChildren
}

/** The page of a table: its head, filters, rows and bulk changes. */
export function TablePage<Row extends { readonly id: string }>(props: TablePageProps<Row>) {
  const { kind, columns, source, nameOf, hrefOf, isFiltered, exported, title, filters, foot } = props
  const { defaults = {}, besideTitle, selectionBar } = props
  const console = useConsole()
  const { texts } = console
  const { openCreate } = useShell()
  const create = () => openCreate(kind, defaults)
  const reason = canCreate(console.me, kind) ? undefined : texts.readOnly.products
  const groups = useGroups(kind, exported, source)
  const groupTexts = useGroupTexts()
  const loaded = useSelection<Row>()
  const matching = useMatchingSelection(exported, loaded)
  const selection = matching.selection
  const shownRef = useRef<ShownRows<Row>>(null)
  const shown: ShownRows<Row> = {
    atHand: () => shownRef.current?.atHand(),
    find: (id) => shownRef.current?.find(id),
    focusAtHand: () => shownRef.current?.focusAtHand(),
  }
  const { params } = useViewParams()
  const shownColumns = chooseColumns(columns, params.get('columns') ?? undefined)
  const label = texts.labels[kind]
  usePageTitle(label)
  useKeys({ c: () => (reason === undefined ? create() : showReason(reason)) })
  usePlaceDefaults(defaults)
  return (
    <>
      <Bar>
        <ViewHead kind={kind} title={title ?? <h1>{label}</h1>} />
        {besideTitle}
        <BarEnd>
          <ColumnsMenu columns={columns} />
          <TableActions
            kind={kind}
            exported={exported}
            fields={[...new Set(shownColumns.flatMap(({ exportFields }) => exportFields))]}
          />
          {reason === undefined && (
            <Button look="main" icon="plus" class={text.deskOnly} onClick={create}>
              {texts.create[kind]} <kbd>C</kbd>
            </Button>
          )}
        </BarEnd>
      </Bar>
      <ReadOnlyReason reason={reason} />
      <Filters>
        {filters}
        <GroupMenu kind={kind} />
      </Filters>
      <RecordTable
        label={label}
        columns={shownColumns}
        source={source}
        groups={groups}
        nameOf={nameOf}
        hrefOf={hrefOf}
        selection={selection}
        shownRef={shownRef}
        matching={reason === undefined ? matching : undefined}
        reasonOf={(row) => explainReadOnly(console, kind, [row])}
        foot={foot}
        empty={
          <EmptyTable
            kind={kind}
            isFiltered={isFiltered}
            create={reason === undefined ? create : undefined}
          />
        }
      />
      {matching.isAll ? (
        <MatchingBar kind={kind} query={exported} total={matching.total} clear={selection.clear} />
      ) : (
        selectionBar(selection, shown)
      )}
      <Hints
        keys={[
          [['J', 'K'], texts.shortcuts.next],
          ...(hrefOf ? [[['Enter'], texts.shortcuts.open] as const] : []),
          ...(hrefOf || reason !== undefined ? [] : [[['E'], texts.actions.edit] as const]),
          ...(reason === undefined
            ? [[['X'], texts.tables.selectKey] as const, [['Ctrl', 'A'], texts.bulk.selectKey] as const]
            : []),
          ...(groups ? [[['←', '→'], groupTexts.fold] as const] : []),
          [['/'], texts.shortcuts.findHere],
          ...(reason === undefined ? [[['C'], texts.create[kind]] as const] : []),
        ]}
      />
    </>
  )
}

interface EmptyTableProps extends Pick<TablePageProps<object>, 'kind' | 'isFiltered'> {
  /** Undefined if the member may not create records of this kind. */
  readonly create: (() => void) | undefined
}

function EmptyTable({ kind, isFiltered, create }: EmptyTableProps) {
  const { texts } = useConsole()
  const { clear } = useViewParams()
  if (!isFiltered)
    return (
      <>
        <p>{texts.tables.none}</p>
        <div class={styles.emptyActions}>
          {create && (
            <Button look="main" icon="plus" onClick={create}>
              {texts.create[kind]}
            </Button>
          )}
          <ImportLink kind={kind} />
        </div>
      </>
    )
  return (
    <>
      <p>{texts.tables.noneFound}</p>
      <Button onClick={clear}>{texts.tables.clearFilters}</Button>
    </>
  )
}
