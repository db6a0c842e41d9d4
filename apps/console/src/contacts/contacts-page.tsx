import type { CompanyListItem, PersonListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { includeInRows } from '../app/permissions.ts'
import { useViewParams } from '../app/use-view-params.ts'
import type { KindFields } from '../fields/field.ts'
import { KIND_FIELDS } from '../fields/kind-fields.ts'
import { FilterBar } from '../filters/filter-bar.tsx'
import { RecordSelectionBar } from '../records/record-selection-bar.tsx'
import { listColumnIncludes } from '../table/column.ts'
import { ListFilters } from '../table/list-filters.tsx'
import { listSource } from '../table/list-source.ts'
import { TablePage } from '../table/table-page.tsx'
import { usePageColumns } from '../table/use-columns.tsx'
import { useListFilters, useListOrder } from '../table/use-list-query.ts'

type Contact = PersonListItem | CompanyListItem

/** The people or the companies as a table. */
export function ContactsPage({ kind }: { readonly kind: 'people' | 'companies' }) {
  const { crm, me, texts } = useConsole()
  const fields = KIND_FIELDS[kind] as KindFields<Contact>
  const order = useListOrder(kind, { order_by: 'full_name', order: 'asc' })
  const { filters, isFiltered } = useListFilters()
  const { params } = useViewParams()
  const columns = usePageColumns(kind, fields)
  const included = listColumnIncludes(columns, params.get('columns') ?? undefined)
  const query = { ...order, ...filters, ...includeInRows(me, kind, ...included) }
  return (
    <TablePage<Contact>
      kind={kind}
      columns={columns}
      source={listSource<Contact, typeof query>(
        kind,
        query,
        order,
        async (page, options) => await crm[kind].list(page, options),
      )}
      nameOf={({ full_name }) => full_name}
      hrefOf={({ id }) => `/${kind}/${id}`}
      isFiltered={isFiltered}
      exported={query}
      filters={
        <>
          <ListFilters searchLabel={texts.tables.search(texts.labels[kind])} />
          <FilterBar kind={kind} />
        </>
      }
      selectionBar={(selection, shown) => (
        <RecordSelectionBar kind={kind} selection={selection} shown={shown} />
      )}
    />
  )
}
