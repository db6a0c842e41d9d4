import type * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Stage } from '../../schema/stage.ts'
import { deals } from '../deals/deal.ts'
import { loadStages } from '../pipelines/pipeline-stages.ts'
import { checkRange, loadDealScope, whereBetween } from './deal-scope.ts'
import { roundRatio } from './exact-numbers.ts'
import { loadMedianDaysToClose, loadPipeline, toDays } from './pipeline-report.ts'
import { pipelineReportInput } from './report-inputs.ts'
import type { FunnelReport, FunnelStage } from './report-views.ts'

/** Reports what became of the deals that were created between `from` and `to`, inclusive. */
export async function funnelReport(
  ports: Pick<Ports, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<FunnelReport> {
  const query = validate(pipelineReportInput, input, 'parameter')
  requireScope(actor, deals.scopes.read)
  checkRange(query)
  return readWorkspace(ports, actor, (transaction) => buildReport(query, transaction), { workload: 'report' })
}

async function buildReport(
  { pipeline_id, from, to, ...query }: v.InferOutput<typeof pipelineReportInput>,
  transaction: ViewTransaction,
): Promise<FunnelReport> {
  // One after the other: of two refusals, the first one is always the same.
  const pipeline = await loadPipeline(pipeline_id, transaction)
  const scope = await loadDealScope(query, transaction)
  const stages = await loadStages([pipeline.id], transaction)
  const where: readonly Condition<Deal>[] = [
    { field: 'pipeline_id', is: pipeline.id },
    ...whereBetween('created_at', from, to),
    ...scope.where,
  ]
  const winIds = stages.filter(({ type }) => type === 'win').map(({ id }) => id)
  const openStages = stages.filter(({ type }) => type === 'open')
  const [places, daysToClose, ...medians] = await Promise.all([
    loadPlaces(where, stages, transaction),
    loadMedianDaysToClose([...where, { field: 'stage_id', oneOf: winIds }], transaction),
    ...openStages.map((stage) => loadMedianDays(stage, where, transaction)),
  ])
  const count = (outcome: Place['outcome']) => sum(places.filter((place) => place.outcome === outcome))
  const [created, won] = [sum(places), count('win')]
  return {
    pipeline: { id: pipeline.id, name: pipeline.name },
    ...{ owner: scope.owner, team: scope.team, from: from ?? null, to: to ?? null },
    created,
    stages: countStages(openStages, places).map((stage, index) => ({
      ...stage,
      median_days: medians[index]!,
    })),
    won: { count: won, share: roundRatio(BigInt(won), BigInt(created), 4), median_days: daysToClose },
    ...{ lost: count('lost'), open: count('open') },
  }
}

/** Deals that are, or were lost, in one place. */
export interface Place {
  readonly outcome: Stage['type']
  /** The stage of an open deal, and that from which a lost one was lost. */
  readonly stageId: string | null
  readonly count: number
}

async function loadPlaces(
  where: readonly Condition<Deal>[],
  stages: readonly Stage[],
  { stores }: ViewTransaction,
): Promise<readonly Place[]> {
  const types = new Map(stages.map(({ id, type }) => [id, type]))
  const rows = await stores.deals.aggregate({
    where,
    groupBy: [{ field: 'stage_id' }, { field: 'lost_stage_id' }],
    ...{ order: 'count', limit: MAX_PLACES },
  })
  return rows.map(({ keys: [stageId, lostStageId], count }) => {
    const outcome = types.get(String(stageId)) ?? 'open'
    return { outcome, stageId: (outcome === 'lost' ? lostStageId : stageId) as string | null, count }
  })
}

/** More than a pipeline can have: each lost stage with each stage from which deals come. */
const MAX_PLACES = 10_000

/**
 * Counts the deals that came to each open stage. A won deal came through all; one that was lost as it was created, or in
 * another pipeline, through none.
 */
export function countStages(
  openStages: readonly Pick<Stage, 'id' | 'name'>[],
  places: readonly Place[],
): readonly Omit<FunnelStage, 'median_days'>[] {
  const indexes = new Map(openStages.map(({ id }, index) => [id, index]))
  const won = sum(places.filter(({ outcome }) => outcome === 'win'))
  return openStages.map(({ id, name }, index) => {
    const here = places.filter(({ stageId }) => stageId === id)
    const beyond = places.filter(({ stageId }) => (indexes.get(String(stageId)) ?? -1) > index)
    const [lost, open] = (['lost', 'open'] as const).map((type) =>
      sum(here.filter(({ outcome }) => outcome === type)),
    ) as [number, number]
    const went_on = won + sum(beyond)
    const entered = went_on + lost + open
    return { id, name, entered, went_on, share: roundRatio(BigInt(went_on), BigInt(entered), 4), lost, open }
  })
}

function sum(places: readonly Place[]): number {
  return places.reduce((total, { count }) => total + count, 0)
}

/** The median of the days after which the deals left a stage. */
async function loadMedianDays(
  { id }: Stage,
  where: readonly Condition<Deal>[],
  { stores }: ViewTransaction,
): Promise<number | null> {
  return toDays(
    await stores.stage_moves.medianDuration({
      where: [
        { field: 'from_stage_id', is: id },
        { field: 'deal_id', whereRelated: { collection: 'deals', where } },
      ],
      ...{ from: 'entered_at', to: 'created_at' },
    }),
  )
}
