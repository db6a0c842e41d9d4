import type { CrmClient, ProductListItem } from '@sales-crm/client'
import { foldText } from '@sales-crm/core/browser'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { readSearch } from '../format/typed-text.ts'

const LIMIT = 6

/** The products for sale that a text finds. */
export function useProductSearch(text: string) {
  const { crm } = useConsole()
  const sought = readSearch(text)
  const results = useQuery({
    queryKey: ['products', 'for items', sought],
    queryFn: ({ signal }) => listProducts(crm, sought ?? '', signal),
    enabled: sought !== undefined,
    placeholderData: keepPreviousData,
  })
  return {
    products: sought === undefined ? [] : (results.data ?? []),
    isSeeking: sought !== undefined && (results.isPlaceholderData || results.isLoading),
  }
}

/** The first product that a text finds: what Enter takes before the answer is shown. */
export async function findProduct(crm: CrmClient, text: string): Promise<ProductListItem | undefined> {
  const sought = readSearch(text)
  return sought === undefined ? undefined : (await listProducts(crm, sought))[0]
}

/** Those whose names begin with the text come first. */
async function listProducts(
  crm: CrmClient,
  search: string,
  signal?: AbortSignal,
): Promise<readonly ProductListItem[]> {
  const { data } = await crm.products.list({ search, is_active: true, per_page: LIMIT }, { signal })
  const begins = ({ name }: ProductListItem) => Number(foldText(name).startsWith(foldText(search)))
  return data.toSorted((a, b) => begins(b) - begins(a))
}
