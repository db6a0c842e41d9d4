import { type Actor, authorize } from '../actor.ts'
import { CURRENCIES } from '../deals/currency.ts'
import { type Deal, deals } from '../deals/deal.ts'
import { invalid, notFound } from '../errors.ts'
import { DAY } from '../instants.ts'
import { type Pipeline, type Stage, stagesOf } from '../pipelines/pipeline.ts'
import type { Condition, Ports } from '../ports.ts'
import { validate } from '../records/input.ts'
import { ownersOf } from '../records/owner.ts'
import { memberByEmail } from '../records/references.ts'
import { linked, type Unit, unitOf } from '../records/unit.ts'
import { pipelineReportInput } from './inputs.ts'
import { quietDeals } from './quiet-deals.ts'
import { type StageSum, stageReport, totalOf, withForecast, withoutForecast } from './stage-sums.ts'
import type { PipelineReport } from './views.ts'
import { rounded } from './whole-number.ts'

type Where = readonly Condition<Deal>[]

/** Open deals as they stand now, of whatever age; of the others, those closed within `from` and `to`. */
export async function pipelineReport(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<PipelineReport> {
  const { pipeline_id, owner_email, from, to } = validate(pipelineReportInput, input)
  authorize(actor, deals.scopes.read)
  if (from !== undefined && to !== undefined && to < from) throw invalid({ to: 'Must not be before from.' })
  return storage.survey(async (tx) => {
    const unit = unitOf(tx, actor.workspaceId)
    const { stores } = unit
    const [pipeline, owner_user_id] = await Promise.all([pipelineOf(pipeline_id, unit), ownerOf(owner_email, unit)])
    const [stages, owners] = await Promise.all([stagesOf([pipeline.id], unit), ownersOf([{ owner_user_id }], unit)])
    const among = (...types: readonly Stage['type'][]): Where => [
      { field: 'pipeline_id', is: pipeline.id },
      { field: 'stage_id', oneOf: stages.filter(({ type }) => types.includes(type)).map(({ id }) => id) },
      ...(owner_user_id === null ? [] : [{ field: 'owner_user_id', is: owner_user_id } as const]),
    ]
    const within: Where = [
      ...(from === undefined ? [] : [{ field: 'closed_at', from } as const]),
      ...(to === undefined ? [] : [{ field: 'closed_at', to } as const]),
    ]
    const [open, closed, span, quiet] = await Promise.all([
      sumsOf(stages, among('open'), unit),
      sumsOf(stages, [...among('win', 'lost'), ...within], unit),
      stores.deals.medianSpan({ where: [...among('win'), ...within], from: 'created_at', to: 'closed_at' }),
      quietDeals(among('open'), now(), unit),
    ])
    const sums = [...open, ...closed]
    const ofType = (type: Stage['type']) => sums.filter(({ stage }) => stage.type === type)
    const [won, lost] = [totalOf(ofType('win'), withoutForecast), totalOf(ofType('lost'), withoutForecast)]
    return {
      pipeline: { id: pipeline.id, name: pipeline.name },
      owner: linked(owners, owner_user_id),
      from: from ?? null,
      to: to ?? null,
      stages: stages.map((stage) => stageReport(stage, sums)),
      open: totalOf(open, withForecast),
      won,
      lost,
      win_rate: rounded(BigInt(won.count), BigInt(won.count + lost.count), 4),
      median_days_to_close: span === undefined ? null : Math.round((span / (DAY * 1000)) * 10) / 10,
      quiet,
    }
  })
}

/** The oldest where none is named. @throws CrmError `not_found` */
async function pipelineOf(id: string | undefined, { stores }: Unit): Promise<Pipeline> {
  const oldest = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
  const pipeline = id === undefined ? (await stores.pipelines.list(oldest)).rows[0] : await stores.pipelines.get(id)
  if (!pipeline) throw notFound('Pipeline')
  return pipeline
}

async function ownerOf(email: string | undefined, unit: Unit): Promise<string | null> {
  if (email === undefined) return null
  const owner = await memberByEmail(email, unit)
  if (owner === undefined) throw invalid({ owner_email: 'Member not found.' })
  return owner
}

async function sumsOf(stages: readonly Stage[], where: Where, { stores }: Unit): Promise<StageSum[]> {
  const most = stages.length * CURRENCIES.length
  const by = [{ field: 'stage_id' }, { field: 'currency' }] as const
  const found = await stores.deals.summarize({ where, by, sum: 'amount', order: 'count', most })
  const byId = new Map(stages.map((stage) => [stage.id, stage]))
  return found.map(({ keys: [stage, currency], count, sum }) => ({
    stage: byId.get(stage as string)!,
    currency: currency as Deal['currency'],
    count,
    sum,
  }))
}
