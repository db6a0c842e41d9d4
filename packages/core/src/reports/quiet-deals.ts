import type { Deal } from '../deals/deal.ts'
import { DAY, later } from '../instants.ts'
import type { Condition, Instant, RecordStore } from '../ports.ts'
import type { Unit } from '../records/unit.ts'
import type { PipelineReport } from './views.ts'

const DAYS = 30
const MOST_NAMED = 20

/** What of other records tells that a deal is worked on. A move of the deal is a change of its own. */
const SIGNS = [
  { collection: 'activities', field: 'created_at' },
  { collection: 'activities', field: 'updated_at' },
  { collection: 'tasks', field: 'updated_at' },
] as const

/** Those of the deals of which nothing is newer than thirty days, the longest unchanged first. */
export async function quietDeals(among: readonly Condition<Deal>[], now: Instant, unit: Unit): Promise<PipelineReport['quiet']> {
  const since = later(now, -DAYS * DAY)
  const after = later(since, 0.001)
  const where: Condition<Deal>[] = [
    ...among,
    { field: 'updated_at', to: since },
    ...SIGNS.map((sign) => ({ field: 'id', lacks: { ...sign, by: 'deal_id', from: after } }) as const),
  ]
  const { rows, total } = await unit.stores.deals.list({ page: 1, per_page: MOST_NAMED, order_by: 'updated_at', order: 'asc', where })
  const last = await lastSigns(rows, unit)
  const deals = rows.map(({ id, name, updated_at }) => ({ id, name, last_activity_at: greatest([updated_at, ...(last.get(id) ?? [])]) }))
  return { since, count: total, deals }
}

type Linked = { readonly id: string; readonly created_at: Instant; readonly updated_at: Instant | null; readonly deal_id: string | null }

/** The last of each sign that there is of each deal. */
async function lastSigns(deals: readonly Deal[], { stores }: Unit): Promise<ReadonlyMap<string, readonly Instant[]>> {
  if (deals.length === 0) return new Map()
  const where = [{ field: 'deal_id', oneOf: deals.map(({ id }) => id) }] as const
  const found = await Promise.all(
    SIGNS.map(({ collection, field }) => {
      const store = stores[collection] as unknown as Pick<RecordStore<Linked>, 'summarize'>
      return store.summarize({ where, by: [{ field: 'deal_id' }], latest: field, order: 'count', most: deals.length })
    }),
  )
  const signs = found.flat().flatMap(({ keys: [id], latest }) => (latest === null ? [] : [{ id: String(id), latest }]))
  return new Map([...Map.groupBy(signs, ({ id }) => id)].map(([id, each]) => [id, each.map(({ latest }) => latest)]))
}

function greatest(instants: readonly Instant[]): Instant {
  return instants.reduce((a, b) => (a < b ? b : a))
}
