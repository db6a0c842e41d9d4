import { defineResource, noDerivedFields } from '../../engine/resource.ts'
import { loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { changeable, clearable, object, optional } from '../../kernel/object-schemas.ts'
import { multiLineTextOrNull, singleLineText } from '../../kernel/text-schemas.ts'
import { listFacet } from '../../schema/facets.ts'
import type { List } from '../../schema/list.ts'

const name = singleLineText(1, 80)
const description = multiLineTextOrNull(500)

/** A list in the view of a record. */
export interface ListSummary extends List {}

/** A list as `crm.lists` returns it. */
export interface ListView extends ListSummary {
  /** Number of live people, companies and deals on the list. */
  readonly records_count: number
}

/**
 * The definition of lists: the schemas of `ListInput` (`create`) and `ListChanges` (`update`), and the
 * filters, orders and scopes.
 */
export const lists = defineResource<List>()({
  label: 'List',
  scopes: { read: 'lists:read', write: 'lists:write' },
  collection: 'lists',
  orderBy: ['created_at', 'name'],
  filters: {},
  create: object({ name, ...optional({ description }) }),
  update: object({ ...changeable({ name }), ...clearable({ description }) }),
  references: {},
  codePrefix: null,
  defaults: { name: '', description: null },
  searchTerms: null,
  deriveFields: noDerivedFields,
  events: () => [],
  listView: buildListViews,
  detailView: buildListViews,
  snapshot: null,
})

export function loadListSummaries(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, ListSummary>> {
  return loadViews(stores.lists, ids, (list) => list)
}

async function buildListViews(page: readonly List[], { stores }: WorkspaceTransaction): Promise<ListView[]> {
  if (page.length === 0) return []
  const facets = page.map(({ id }) => listFacet(id))
  const counts = await Promise.all(
    [stores.people, stores.companies, stores.deals].map((store) => store.countByTerm('search_terms', facets)),
  )
  const sumCounts = (facet: string) => counts.reduce((sum, count) => sum + (count.get(facet) ?? 0), 0)
  return page.map((list) => ({ ...list, records_count: sumCounts(listFacet(list.id)) }))
}
