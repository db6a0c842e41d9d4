import type { Listing } from '@sales-crm/core'

interface PageQuery {
  readonly page: number
  readonly per_page: number
  readonly order: 'asc'
}

/** Fetches all pages of a list. For records of which a workspace has few. */
export async function listAll<Item>(
  list: (query: PageQuery) => Promise<Listing<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page += 1) {
    const { data, meta } = await list({ page, per_page: 100, order: 'asc' })
    items.push(...data)
    if (!meta.has_more) return items
  }
}
