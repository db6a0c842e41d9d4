import type * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import {
  readWorkspace,
  type ViewTransaction,
  type WorkspaceTransaction,
} from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { DAY, type Instant } from '../../kernel/instant.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Stage } from '../../schema/stage.ts'
import { deals } from '../deals/deal.ts'
import { loadStages } from '../pipelines/pipeline-stages.ts'
import { checkRange, loadDealScope, whereBetween } from './deal-scope.ts'
import { roundRatio } from './exact-numbers.ts'
import { pipelineReportInput } from './report-inputs.ts'
import type { PipelineReport } from './report-views.ts'
import { buildStageReport, loadStageSums, sumStages, toAmount, toForecastAmount } from './stage-sums.ts'
import { findStaleDeals } from './stale-deals.ts'

type DealConditions = readonly Condition<Deal>[]

/** Reports all open deals as of now, and the won and lost deals closed between `from` and `to`, inclusive. */
export async function pipelineReport(
  ports: Pick<Ports, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<PipelineReport> {
  const query = validate(pipelineReportInput, input, 'parameter')
  requireScope(actor, deals.scopes.read)
  checkRange(query)
  return readWorkspace(ports, actor, (transaction) => buildReport(query, ports.now(), transaction), {
    workload: 'report',
  })
}

type ReportQuery = v.InferOutput<typeof pipelineReportInput>

async function buildReport(
  { pipeline_id, from, to, ...query }: ReportQuery,
  at: Instant,
  transaction: ViewTransaction,
): Promise<PipelineReport> {
  // One after the other: of two refusals, the first one is always the same.
  const pipeline = await loadPipeline(pipeline_id, transaction)
  const scope = await loadDealScope(query, transaction)
  const stages = await loadStages([pipeline.id], transaction)
  const whereStageType = (...types: readonly Stage['type'][]): DealConditions => [
    { field: 'pipeline_id', is: pipeline.id },
    { field: 'stage_id', oneOf: stages.filter(({ type }) => types.includes(type)).map(({ id }) => id) },
    ...scope.where,
  ]
  const closedInRange = whereBetween('closed_at', from, to)
  const [open, closed, daysToClose, staleDeals] = await Promise.all([
    loadStageSums(stages, whereStageType('open'), transaction),
    loadStageSums(stages, [...whereStageType('win', 'lost'), ...closedInRange], transaction),
    loadMedianDaysToClose([...whereStageType('win'), ...closedInRange], transaction),
    findStaleDeals(whereStageType('open'), at, transaction),
  ])
  const sumClosed = (type: Stage['type']) =>
    sumStages(
      closed.filter(({ stage }) => stage.type === type),
      toAmount,
    )
  const [won, lost] = [sumClosed('win'), sumClosed('lost')]
  return {
    pipeline: { id: pipeline.id, name: pipeline.name },
    owner: scope.owner,
    team: scope.team,
    from: from ?? null,
    to: to ?? null,
    stages: stages.map((stage) => buildStageReport(stage, [...open, ...closed])),
    open: sumStages(open, toForecastAmount),
    won,
    lost,
    win_rate: roundRatio(BigInt(won.count), BigInt(won.count + lost.count), 4),
    median_days_to_close: daysToClose,
    quiet: staleDeals,
  }
}

/** Returns the median in days, rounded to a tenth; null without deals. */
export async function loadMedianDaysToClose(
  where: DealConditions,
  { stores }: WorkspaceTransaction,
): Promise<number | null> {
  return toDays(await stores.deals.medianDuration({ where, from: 'created_at', to: 'closed_at' }))
}

export function toDays(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.round((milliseconds / (DAY * 1000)) * 10) / 10
}

/** Returns the pipeline with this id, or the oldest one without an id. @throws CrmError `not_found` */
export async function loadPipeline(
  id: string | undefined,
  { stores }: WorkspaceTransaction,
): Promise<Pipeline> {
  const oldest = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
  const pipeline =
    id === undefined ? (await stores.pipelines.list(oldest)).rows[0] : await stores.pipelines.get(id)
  if (!pipeline) throw notFound('Pipeline')
  return pipeline
}
