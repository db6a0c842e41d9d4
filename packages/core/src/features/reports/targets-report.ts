import type * as v from 'valibot'
import { loadOwners } from '../../engine/owner.ts'
import { findMemberId } from '../../engine/references.ts'
import { validate } from '../../engine/validate.ts'
import { getOrNull } from '../../engine/views.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { notFoundRule, validationError } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import { type Month, nextMonth, startOfMonth } from '../../kernel/time-zone.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Stage } from '../../schema/stage.ts'
import { deals } from '../deals/deal.ts'
import { findPipeline, whereBetween } from './deal-scope.ts'
import { targetsReportInput } from './report-inputs.ts'
import type { TargetsReport } from './report-views.ts'
import { buildTargetRows, type OwnerSum, sumTargetRows } from './target-rows.ts'

type ReportQuery = v.InferOutput<typeof targetsReportInput>

/** Compares the targets of a month in one currency with what was won in it, and is expected by its end. */
export async function targetsReport(
  ports: Pick<Ports, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<TargetsReport> {
  const query = validate(targetsReportInput, input, 'parameter')
  requireScope(actor, deals.scopes.read)
  return readWorkspace(ports, actor, (transaction) => buildReport(query, transaction), { workload: 'report' })
}

async function buildReport(query: ReportQuery, transaction: ViewTransaction): Promise<TargetsReport> {
  const { month, currency, owner_id, pipeline_id } = query
  // One after the other: of two refusals, the first one is always the same.
  const pipeline = await findPipeline(pipeline_id, transaction)
  const ownerId = await findOwner(owner_id, transaction)
  const [stages, { start, end }] = await Promise.all([
    transaction.stores.stages.find([]),
    loadBounds(month, transaction),
  ])
  const where: readonly Condition<Deal>[] = [
    { field: 'currency', is: currency },
    ...(pipeline ? [{ field: 'pipeline_id', is: pipeline.id } as const] : []),
    ...(ownerId === null ? [] : [{ field: 'owner_user_id', is: ownerId } as const]),
  ]
  const expected = await deals.filters.forecast_before.conditions(end, transaction)
  const ofType = (type: Stage['type']) => stages.filter((stage) => stage.type === type)
  const [targets, won, open] = await Promise.all([
    loadTargets(query, transaction),
    loadOwnerSums(ofType('win'), [...where, ...whereBetween('closed_at', start, end)], transaction),
    loadOwnerSums(ofType('open'), [...where, ...(expected ?? [])], transaction),
  ])
  const owners = await loadOwners(listOwners([...targets, ...won, ...open, { ownerId }]), transaction)
  const rows = buildTargetRows({ targets, won, open }, owners)
  return {
    ...{ month, currency, pipeline: pipeline && { id: pipeline.id, name: pipeline.name } },
    owner: getOrNull(owners, ownerId),
    ...{ rows, total: sumTargetRows(rows) },
  }
}

/** The member to whom the report is restricted; null for all. @throws CrmError `validation_error` */
async function findOwner(id: string | undefined, transaction: ViewTransaction): Promise<string | null> {
  if (id === undefined) return null
  const owner = await findMemberId(id, transaction)
  if (owner === undefined) throw validationError({ owner_id: notFoundRule('Member') })
  return owner
}

/** The first and the last instant of a month in the time zone of the workspace. */
async function loadBounds(
  month: Month,
  { shared, workspaceId }: ViewTransaction,
): Promise<{ readonly start: Instant; readonly end: Instant }> {
  const { time_zone } = (await shared.workspaces.get(workspaceId))!
  const next = Date.parse(startOfMonth(nextMonth(month), time_zone))
  return { start: startOfMonth(month, time_zone), end: new Date(next - 1).toISOString() }
}

async function loadTargets(
  { month, currency, owner_id }: ReportQuery,
  { stores }: ViewTransaction,
): Promise<readonly OwnerSum[]> {
  const targets = await stores.targets.find([
    { field: 'month', is: month },
    { field: 'currency', is: currency },
    ...(owner_id === undefined ? [] : [{ field: 'owner_id', is: owner_id } as const]),
  ])
  return targets.map(({ owner_id, amount }) => ({ ownerId: owner_id, sum: BigInt(amount) }))
}

/** Sums the amounts of the deals in the stages by their owner and stage. */
async function loadOwnerSums(
  stages: readonly Stage[],
  where: readonly Condition<Deal>[],
  { stores }: ViewTransaction,
): Promise<readonly (OwnerSum & { readonly stage: Stage })[]> {
  const byId = new Map(stages.map((stage) => [stage.id, stage]))
  // Also removed members, whose deals stay, and nobody.
  const owners = (await stores.members.find([])).length + 1
  const rows = await stores.deals.aggregate({
    where: [...where, { field: 'stage_id', oneOf: [...byId.keys()] }],
    groupBy: [{ field: 'owner_user_id' }, { field: 'stage_id' }],
    ...{ sum: 'amount', order: 'sum', limit: Math.max(1, owners * stages.length) },
  })
  return rows.map(({ keys: [owner, stage], sum }) => ({
    ...{ ownerId: owner as string | null, stage: byId.get(stage as string)!, sum },
  }))
}

function listOwners(sums: readonly Pick<OwnerSum, 'ownerId'>[]): readonly string[] {
  return [...new Set(sums.flatMap(({ ownerId }) => ownerId ?? []))]
}
