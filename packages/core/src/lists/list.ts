import type { Instant, RecordBase } from '../ports.ts'
import { changeable, clearable, line, object, optional, textOrNone } from '../records/fields.ts'
import { listMark } from '../records/found-by.ts'
import { defineResource, nothingToSettle } from '../records/resource.ts'
import { type Unit, viewsOf } from '../records/unit.ts'

export interface List extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  readonly description: string | null
}

export const listShape = { columns: { name: 'text', description: 'text?' }, unique: [], neverReused: [], refersTo: {} } as const

const name = line(1, 80)
const description = textOrNone(500)

/** A list as the records on it are answered with it. */
export interface ListSummary extends List {}

export interface ListView extends ListSummary {
  /** People, companies and deals on it. */
  readonly records_count: number
}

export const lists = defineResource<List>()({
  label: 'List',
  scopes: { read: 'lists:read', write: 'lists:write' },
  store: (stores) => stores.lists,
  orderBy: ['created_at', 'name'],
  filters: {},
  create: object({ name, ...optional({ description }) }),
  update: object({ ...changeable({ name }), ...clearable({ description }) }),
  references: {},
  codeLetter: null,
  blank: { name: '', description: null },
  associations: null,
  foundBy: null,
  settle: nothingToSettle,
  events: () => [],
  listView: listViews,
  detailView: listViews,
  snapshot: null,
})

export function listSummaries(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, ListSummary>> {
  return viewsOf(stores.lists, ids, (list) => list)
}

async function listViews(page: readonly List[], { stores }: Unit): Promise<ListView[]> {
  if (page.length === 0) return []
  const marks = page.map(({ id }) => listMark(id))
  const tallies = await Promise.all([stores.people, stores.companies, stores.deals].map((store) => store.tally('found_by', marks)))
  const countOf = (mark: string) => tallies.reduce((sum, tally) => sum + (tally.get(mark) ?? 0), 0)
  return page.map((list) => ({ ...list, records_count: countOf(listMark(list.id)) }))
}
