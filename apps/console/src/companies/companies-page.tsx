import type { CompanyListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { completeLink } from '../format/link.ts'
import { websiteLinks } from '../records/facts/contact-texts.ts'
import { RecordSelectionBar } from '../records/record-selection-bar.tsx'
import { useContactColumns } from '../table/contact-columns.tsx'
import { useCustomFieldColumns } from '../table/custom-field-columns.ts'
import { EditableCell } from '../table/editable-cell.tsx'
import { ListFilters } from '../table/list-filters.tsx'
import { TablePage } from '../table/table-page.tsx'
import { useListFilters, useListOrder } from '../table/use-list-query.ts'
import { PAGE_SIZE } from '../table/use-rows.ts'

const ORDERS = ['full_name', 'created_at', 'updated_at'] as const

export function CompaniesPage() {
  const { crm, texts } = useConsole()
  const order = useListOrder(ORDERS, { order_by: 'full_name', order: 'asc' })
  const { filters, isFiltered } = useListFilters()
  const query = { ...order, ...filters }
  const [name, email, phone, owner, created, updated] = useContactColumns<CompanyListItem>('companies')
  const customColumns = useCustomFieldColumns<CompanyListItem>('companies')
  return (
    <TablePage<CompanyListItem>
      kind="companies"
      columns={[
        name,
        {
          key: 'website',
          label: texts.labels.website,
          isDefault: true,
          render: ({ id, website }) => (
            <EditableCell
              kind="companies"
              id={id}
              label={texts.labels.website}
              display={undefined}
              links={websiteLinks(website)}
              text={website ?? ''}
              edit={(text) => {
                const value = completeLink(text) || null
                return { changes: { website: value }, shown: { website: value } }
              }}
            />
          ),
        },
        email,
        phone,
        owner,
        created,
        updated,
        ...customColumns,
      ]}
      source={{
        queryKey: ['companies', 'list', query],
        order,
        fetchPage: async (page, signal) =>
          await crm.companies.list({ ...query, page, per_page: PAGE_SIZE }, { signal }),
      }}
      nameOf={({ full_name }) => full_name}
      hrefOf={({ id }) => `/companies/${id}`}
      isFiltered={isFiltered}
      filters={<ListFilters searchLabel={texts.tables.search(texts.labels.companies)} />}
      selectionBar={(selection, shown) => (
        <RecordSelectionBar kind="companies" selection={selection} shown={shown} />
      )}
    />
  )
}
