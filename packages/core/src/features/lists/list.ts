import { defineResource } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { listFacet } from '../../schema/facets.ts'
import type { List } from '../../schema/list.ts'

export const lists = defineResource('lists', { loaders: { records_count: loadCounts } })

/** Counts the live people, companies and deals on each list. */
async function loadCounts(
  page: readonly List[],
  { stores }: WorkspaceTransaction,
): Promise<(list: List) => number> {
  const facets = page.map(({ id }) => listFacet(id))
  const counts = await Promise.all(
    [stores.people, stores.companies, stores.deals].map((store) => store.countByTerm('search_terms', facets)),
  )
  return ({ id }) => counts.reduce((sum, count) => sum + (count.get(listFacet(id)) ?? 0), 0)
}
