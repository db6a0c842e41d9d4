import type { Listing } from '@sales-crm/core'

interface PageQuery {
  readonly page: number
  readonly per_page: number
  readonly order: 'asc'
}

/** Bounds the time of a call in a workspace with very many records. */
const MAX_PAGES = 20

/** Fetches the pages of a list, up to 2000 records. For records of which a workspace usually has few. */
export async function listAll<Item>(
  list: (query: PageQuery) => Promise<Listing<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, meta } = await list({ page, per_page: 100, order: 'asc' })
    items.push(...data)
    if (!meta.has_more) break
  }
  return items
}
