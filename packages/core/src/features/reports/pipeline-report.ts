import { loadOwners } from '../../engine/owner.ts'
import { findMemberIdByEmail } from '../../engine/references.ts'
import { validate } from '../../engine/validate.ts'
import { getOrNull } from '../../engine/views.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { notFound, validationError } from '../../kernel/errors.ts'
import { DAY } from '../../kernel/instant.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Stage } from '../../schema/stage.ts'
import { deals } from '../deals/deal.ts'
import { loadStages } from '../pipelines/pipeline.ts'
import { roundRatio } from './exact-numbers.ts'
import { pipelineReportInput } from './report-inputs.ts'
import type { PipelineReport } from './report-views.ts'
import { buildStageReport, loadStageSums, sumStages, toAmount, toForecastAmount } from './stage-sums.ts'
import { findStaleDeals } from './stale-deals.ts'

type DealConditions = readonly Condition<Deal>[]

/** Reports all open deals as of now, and the won and lost deals closed between `from` and `to`, inclusive. */
export async function pipelineReport(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<PipelineReport> {
  const { pipeline_id, owner_email, from, to } = validate(pipelineReportInput, input, 'parameter')
  requireScope(actor, deals.scopes.read)
  if (from !== undefined && to !== undefined && to < from)
    throw validationError({ to: 'Must not be before from.' })
  return storage.read(
    async (tx) => {
      const unit = inWorkspace(tx, actor.workspaceId)
      const { stores } = unit
      const [pipeline, owner_user_id] = await Promise.all([
        loadPipeline(pipeline_id, unit),
        findOwnerId(owner_email, unit),
      ])
      const [stages, owners] = await Promise.all([
        loadStages([pipeline.id], unit),
        loadOwners([{ owner_user_id }], unit),
      ])
      const whereStageType = (...types: readonly Stage['type'][]): DealConditions => [
        { field: 'pipeline_id', is: pipeline.id },
        { field: 'stage_id', oneOf: stages.filter(({ type }) => types.includes(type)).map(({ id }) => id) },
        ...(owner_user_id === null ? [] : [{ field: 'owner_user_id', is: owner_user_id } as const]),
      ]
      const closedInRange: DealConditions = [
        ...(from === undefined ? [] : [{ field: 'closed_at', from } as const]),
        ...(to === undefined ? [] : [{ field: 'closed_at', to } as const]),
      ]
      const [open, closed, medianMs, stale] = await Promise.all([
        loadStageSums(stages, whereStageType('open'), unit),
        loadStageSums(stages, [...whereStageType('win', 'lost'), ...closedInRange], unit),
        stores.deals.medianDuration({
          where: [...whereStageType('win'), ...closedInRange],
          from: 'created_at',
          to: 'closed_at',
        }),
        findStaleDeals(whereStageType('open'), now(), unit),
      ])
      const sums = [...open, ...closed]
      const filterByType = (type: Stage['type']) => sums.filter(({ stage }) => stage.type === type)
      const [won, lost] = [
        sumStages(filterByType('win'), toAmount),
        sumStages(filterByType('lost'), toAmount),
      ]
      return {
        pipeline: { id: pipeline.id, name: pipeline.name },
        owner: getOrNull(owners, owner_user_id),
        from: from ?? null,
        to: to ?? null,
        stages: stages.map((stage) => buildStageReport(stage, sums)),
        open: sumStages(open, toForecastAmount),
        won,
        lost,
        win_rate: roundRatio(BigInt(won.count), BigInt(won.count + lost.count), 4),
        median_days_to_close: medianMs === undefined ? null : Math.round((medianMs / (DAY * 1000)) * 10) / 10,
        quiet: stale,
      }
    },
    { workload: 'report' },
  )
}

/** Returns the pipeline with this id, or the oldest one without an id. @throws CrmError `not_found` */
async function loadPipeline(id: string | undefined, { stores }: WorkspaceTransaction): Promise<Pipeline> {
  const oldest = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
  const pipeline =
    id === undefined ? (await stores.pipelines.list(oldest)).rows[0] : await stores.pipelines.get(id)
  if (!pipeline) throw notFound('Pipeline')
  return pipeline
}

async function findOwnerId(email: string | undefined, unit: WorkspaceTransaction): Promise<string | null> {
  if (email === undefined) return null
  const owner = await findMemberIdByEmail(email, unit)
  if (owner === undefined) throw validationError({ owner_email: 'Member not found.' })
  return owner
}
