import type { ProductListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { PRODUCT_FIELDS } from '../fields/product-fields.ts'
import { FilterBar } from '../filters/filter-bar.tsx'
import { useFilterQuery } from '../filters/use-filter-query.ts'
import { readSearch } from '../format/typed-text.ts'
import { listSource } from '../table/list-source.ts'
import { TablePage } from '../table/table-page.tsx'
import { useColumns } from '../table/use-columns.tsx'
import { useListOrder } from '../table/use-list-query.ts'
import { SearchField } from '../ui/search-field.tsx'
import { ProductSelectionBar } from './product-selection-bar.tsx'

export function ProductsPage() {
  const { crm, texts } = useConsole()
  const { params, set } = useViewParams()
  const typed = params.get('search') ?? ''
  const search = readSearch(typed)
  const { labels } = texts
  const filter = useFilterQuery()
  const order = useListOrder('products', { order_by: 'created_at', order: 'desc' })
  const query = { ...order, search, filter }
  return (
    <TablePage<ProductListItem>
      kind="products"
      columns={useColumns('products', PRODUCT_FIELDS)}
      source={listSource('products', query, order, (page, options) => crm.products.list(page, options))}
      nameOf={({ name }) => name}
      isFiltered={search !== undefined || filter !== undefined}
      exported={query}
      selectionBar={(selection) => <ProductSelectionBar selection={selection} />}
      filters={
        <>
          <SearchField
            label={texts.tables.search(labels.products)}
            value={typed}
            change={(value) => set({ search: value })}
          />
          <FilterBar kind="products" />
        </>
      }
    />
  )
}
