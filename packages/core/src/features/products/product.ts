import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import { extractRecordTerms, joinTerms } from '../../engine/search-terms.ts'
import type { Product } from '../../schema/product.ts'
import { searchFilter } from '../associations/search-filters.ts'
import { listFilters, listOrder } from '../views/list-filters.ts'
import { productImage } from './product-image.ts'

export const productEvents = lifecycleEvents('product.created', 'product.updated', 'product.deleted')

export const products = defineResource('products', {
  filters: { search: searchFilter<Product>('products'), ...listFilters<Product>('products') },
  listOrder: listOrder('products'),
  extensions: [productImage],
  searchTerms: ({ name, code }) => joinTerms([name, code ?? ''].flatMap(extractRecordTerms)),
  events: productEvents,
  snapshot: (product) => ({ product }),
})
