import { visibleWhere } from '../../engine/visible-records.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { addSeconds, DAY, type Instant } from '../../kernel/instant.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Condition } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { PipelineReport } from './report-views.ts'

const STALE_DAYS = 30
const MAX_DEALS = 20

/** Fields of other records that count as activity on a deal. A stage move updates the deal itself. */
const ACTIVITY_FIELDS = [
  { collection: 'activities', field: 'created_at' },
  { collection: 'activities', field: 'updated_at' },
  { collection: 'tasks', field: 'updated_at' },
] as const

/** Finds the deals without activity in the last thirty days, the longest unchanged first. */
export async function findStaleDeals(
  conditions: readonly Condition<Deal>[],
  now: Instant,
  transaction: WorkspaceTransaction,
): Promise<PipelineReport['quiet']> {
  const since = addSeconds(now, -STALE_DAYS * DAY)
  const newerThan = addSeconds(since, 0.001)
  const activity = await Promise.all(
    ACTIVITY_FIELDS.map(async (each) => {
      const where = await visibleWhere(each.collection, transaction)
      return { field: 'id', notExists: { ...each, foreignKey: 'deal_id', from: newerThan, where } } as const
    }),
  )
  const where: Condition<Deal>[] = [...conditions, { field: 'updated_at', to: since }, ...activity]
  const { rows, total } = await transaction.stores.deals.list({
    page: 1,
    per_page: MAX_DEALS,
    order_by: 'updated_at',
    order: 'asc',
    where,
  })
  const lastActivity = await loadLastActivity(rows, transaction)
  const deals = rows.map(({ id, name, updated_at }) => ({
    id,
    name,
    last_activity_at: maxInstant([updated_at, ...(lastActivity.get(id) ?? [])]),
  }))
  return { since, count: total, deals }
}

type DealActivity = {
  readonly id: string
  readonly created_at: Instant
  readonly updated_at: Instant | null
  readonly deal_id: string | null
}

/** Returns the latest instant of each activity field, per deal. */
async function loadLastActivity(
  deals: readonly Deal[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, readonly Instant[]>> {
  if (deals.length === 0) return new Map()
  const where = [{ field: 'deal_id', oneOf: deals.map(({ id }) => id) }] as const
  const results = await Promise.all(
    ACTIVITY_FIELDS.map(({ collection, field }) => {
      const store = stores[collection] as unknown as Pick<RecordStore<DealActivity>, 'aggregate'>
      return store.aggregate({
        where,
        groupBy: [{ field: 'deal_id' }],
        latest: field,
        order: 'count',
        limit: deals.length,
      })
    }),
  )
  const instants = results
    .flat()
    .flatMap(({ keys: [id], latest }) => (latest === null ? [] : [{ id: String(id), latest }]))
  return new Map(
    [...Map.groupBy(instants, ({ id }) => id)].map(([id, entries]) => [
      id,
      entries.map(({ latest }) => latest),
    ]),
  )
}

function maxInstant(instants: readonly Instant[]): Instant {
  return instants.reduce((a, b) => (a < b ? b : a))
}
