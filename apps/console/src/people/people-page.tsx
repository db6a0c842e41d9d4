import type { PersonListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { collapseSpaces } from '../format/single-line.ts'
import { RecordSelectionBar } from '../records/record-selection-bar.tsx'
import type { Column } from '../table/column.ts'
import { useContactColumns } from '../table/contact-columns.tsx'
import { useCustomFieldColumns } from '../table/custom-field-columns.ts'
import { EditableCell } from '../table/editable-cell.tsx'
import { ListFilters } from '../table/list-filters.tsx'
import { TablePage } from '../table/table-page.tsx'
import { useListFilters, useListOrder } from '../table/use-list-query.ts'
import { PAGE_SIZE } from '../table/use-rows.ts'

const ORDERS = ['full_name', 'created_at', 'updated_at'] as const

export function PeoplePage() {
  const { crm, texts } = useConsole()
  const order = useListOrder(ORDERS, { order_by: 'full_name', order: 'asc' })
  const { filters, isFiltered } = useListFilters()
  const query = { ...order, ...filters }
  const contactColumns = useContactColumns<PersonListItem>('people')
  const customColumns = useCustomFieldColumns<PersonListItem>('people')
  const [name, email, phone, owner, created, updated] = contactColumns
  return (
    <TablePage<PersonListItem>
      kind="people"
      columns={[
        name,
        usePositionColumn(),
        email,
        phone,
        owner,
        {
          key: 'score',
          label: texts.labels.score,
          isNumber: true,
          isDefault: false,
          render: ({ score }) => score,
        },
        created,
        updated,
        ...customColumns,
      ]}
      source={{
        queryKey: ['people', 'list', query],
        order,
        fetchPage: async (page, signal) =>
          await crm.people.list({ ...query, page, per_page: PAGE_SIZE }, { signal }),
      }}
      nameOf={({ full_name }) => full_name}
      hrefOf={({ id }) => `/people/${id}`}
      isFiltered={isFiltered}
      filters={<ListFilters searchLabel={texts.tables.search(texts.labels.people)} />}
      selectionBar={(selection, shown) => (
        <RecordSelectionBar kind="people" selection={selection} shown={shown} />
      )}
    />
  )
}

function usePositionColumn(): Column<PersonListItem> {
  const { texts } = useConsole()
  return {
    key: 'position',
    label: texts.labels.position,
    isDefault: true,
    render: ({ id, position }) => (
      <EditableCell
        kind="people"
        id={id}
        label={texts.labels.position}
        display={position ?? undefined}
        text={position ?? ''}
        edit={(text) => {
          const value = collapseSpaces(text) || null
          return { changes: { position: value }, shown: { position: value } }
        }}
      />
    ),
  }
}
