import type * as v from 'valibot'
import { loadRecordViews } from '../../engine/build-views.ts'
import { validate } from '../../engine/validate.ts'
import { getOrNull } from '../../engine/views.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { AggregateRow, Condition, GroupBy, Ports } from '../../ports/index.ts'
import type { Currency } from '../../schema/currency.ts'
import type { Deal } from '../../schema/deal.ts'
import { deals } from '../deals/deal.ts'
import { checkRange, findPipeline, loadDealScope, whereBetween } from './deal-scope.ts'
import { toSafeInteger } from './exact-numbers.ts'
import { GROUPINGS, listKeys } from './groupings.ts'
import { loadMonthBoundaries } from './month-boundaries.ts'
import { lostReasonsInput } from './report-inputs.ts'
import type { Amount, LostReasonGroup, LostReasonsReport, Sum } from './report-views.ts'

/** Most rows that the report adds up: of a reason, a group and a currency each. */
const MAX_ROWS = 5000

type ReportQuery = v.InferOutput<typeof lostReasonsInput>

/** Reports the deals that are lost and were closed between `from` and `to`, inclusive, by their reasons. */
export async function lostReasonsReport(
  ports: Pick<Ports, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<LostReasonsReport> {
  const query = validate(lostReasonsInput, input, 'parameter')
  requireScope(actor, deals.scopes.read)
  checkRange(query)
  return readWorkspace(ports, actor, (transaction) => buildReport(query, transaction), { workload: 'report' })
}

async function buildReport(query: ReportQuery, transaction: ViewTransaction): Promise<LostReasonsReport> {
  const { pipeline_id, from, to, group_by } = query
  // One after the other: of two refusals, the first one is always the same.
  const pipeline = await findPipeline(pipeline_id, transaction)
  const scope = await loadDealScope(query, transaction)
  const lostStages = await transaction.stores.stages.find([{ field: 'type', is: 'lost' }])
  const where: readonly Condition<Deal>[] = [
    { field: 'stage_id', oneOf: lostStages.map(({ id }) => id) },
    ...(pipeline ? [{ field: 'pipeline_id', is: pipeline.id } as const] : []),
    ...whereBetween('closed_at', from, to),
    ...scope.where,
  ]
  const grouping = group_by && (await prepareGrouping(group_by, where, transaction))
  const rows = await transaction.stores.deals.aggregate({
    where,
    groupBy: [{ field: 'lost_reason_id' }, { field: 'currency' }, ...(grouping ? [grouping.by] : [])],
    ...{ sum: 'amount', order: 'count', limit: MAX_ROWS + 1 },
  })
  const counted = rows.slice(0, MAX_ROWS)
  const reasons = await loadRecordViews('lost_reasons', 'reference', listKeys(counted, 0), transaction)
  const names = await grouping?.loadNames(listKeys(counted, 2))
  const byReason = [...Map.groupBy(counted, ({ keys }) => keys[0] as string | null)]
  const groupsOf = (of: readonly AggregateRow[]): readonly LostReasonGroup[] =>
    grouping
      ? sortLargest(
          [...Map.groupBy(of, ({ keys }) => grouping.toKey(keys[2] ?? null))].map(([key, parts]) => ({
            ...{ key, name: (key !== null && names?.get(key)) || null },
            ...sumRows(parts),
          })),
        )
      : []
  return {
    pipeline: pipeline && { id: pipeline.id, name: pipeline.name },
    owner: scope.owner,
    team: scope.team,
    ...{ from: from ?? null, to: to ?? null, group_by: group_by ?? null },
    reasons: sortLargest(
      byReason.map(([id, of]) => ({ reason: getOrNull(reasons, id), ...sumRows(of), groups: groupsOf(of) })),
    ),
    more: rows.length > counted.length,
  }
}

interface DealGrouping {
  readonly by: GroupBy<Deal>
  readonly toKey: (key: AggregateRow['keys'][number]) => string | null
  readonly loadNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

async function prepareGrouping(
  group: NonNullable<ReportQuery['group_by']>,
  where: readonly Condition<Deal>[],
  transaction: ViewTransaction,
): Promise<DealGrouping> {
  const { stores } = transaction
  if (group === 'month') {
    const { months, starts } = await loadMonthBoundaries(
      stores.deals as never,
      'closed_at',
      where as never,
      transaction,
    )
    return {
      by: { field: 'closed_at', boundaries: starts },
      toKey: (key) => (typeof key === 'number' ? (months[key - 1] ?? null) : null),
      loadNames: async () => new Map(),
    }
  }
  if (group === 'owner') {
    const current = await GROUPINGS.owner.loadKeyMap!(transaction)
    return {
      by: { field: 'owner_user_id' },
      toKey: (key) => current.get(String(key)) ?? null,
      loadNames: (ids) => GROUPINGS.owner.loadNames!(ids, transaction),
    }
  }
  return {
    by: { field: 'lost_stage_id' },
    toKey: (key) => key as string | null,
    loadNames: async (ids) => new Map((await stores.stages.getMany(ids)).map(({ id, name }) => [id, name])),
  }
}

function sumRows(rows: readonly AggregateRow[]): Sum<Amount> {
  const byCurrency = [...Map.groupBy(rows, ({ keys }) => keys[1] as Currency)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return {
    count: rows.reduce((total, { count }) => total + count, 0),
    amounts: byCurrency.map(([currency, parts]) => ({
      currency,
      amount: toSafeInteger(
        parts.reduce((total, { sum }) => total + sum, 0n),
        'from',
      ),
    })),
  }
}

/** The largest number first; equal ones stay in the order of the store. */
function sortLargest<S extends { readonly count: number }>(sums: readonly S[]): readonly S[] {
  return sums.toSorted((a, b) => b.count - a.count)
}
