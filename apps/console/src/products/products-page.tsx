import type { Product } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { TablePage } from '../table/table-page.tsx'
import { PAGE_SIZE } from '../table/use-rows.ts'
import { SearchField } from '../ui/search-field.tsx'

export function ProductsPage() {
  const { crm, texts, dates, formatAmount } = useConsole()
  const { params, set } = useViewParams()
  const search = params.get('search') || undefined
  const { labels } = texts
  return (
    <TablePage<Product>
      kind="products"
      columns={[
        { key: 'name', label: labels.name, isDefault: true, render: ({ name }) => name },
        { key: 'code', label: labels.code, isDefault: true, render: ({ code }) => code ?? '—' },
        {
          key: 'price',
          label: labels.price,
          isNumber: true,
          isDefault: true,
          render: ({ price_cts, currency }) => formatAmount({ amount: price_cts, currency }),
        },
        {
          key: 'billing',
          label: labels.billing,
          isDefault: true,
          render: ({ billing_cycle }) => texts.products.billing[billing_cycle],
        },
        {
          key: 'active',
          label: labels.status,
          isDefault: true,
          render: ({ is_active }) => (is_active ? texts.products.active : texts.products.inactive),
        },
        {
          key: 'description',
          label: labels.description,
          isDefault: true,
          render: ({ description }) => description ?? '—',
        },
        {
          key: 'created_at',
          label: labels.created,
          isDefault: false,
          render: ({ created_at }) => dates.dayWithYear(new Date(created_at)),
        },
      ]}
      source={{
        queryKey: ['products', 'list', search],
        fetchPage: async (page, signal) =>
          await crm.products.list({ search, page, per_page: PAGE_SIZE }, { signal }),
      }}
      nameOf={({ name }) => name}
      isFiltered={search !== undefined}
      filters={
        <SearchField
          label={texts.tables.search(labels.products)}
          value={search ?? ''}
          change={(value) => set({ search: value })}
        />
      }
    />
  )
}
