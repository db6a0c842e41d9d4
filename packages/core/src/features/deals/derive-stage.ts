import type { DeriveInput } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { notFoundRule } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Currency } from '../../schema/currency.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Stage, StageType } from '../../schema/stage.ts'
import { loadStages } from '../pipelines/pipeline-stages.ts'
import { deriveLoss, deriveLostStage, type Loss } from './derive-loss.ts'

type DealFields = Partial<Omit<Deal, 'id' | 'created_at' | 'updated_at'>>

/** Derives the pipeline, stage, closing time and loss of a deal, and the currency of a new one. */
export async function deriveStage(
  { before, fields, at }: DeriveInput<Deal>,
  transaction: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<DealFields> {
  const currency = before ? {} : { currency: fields.currency ?? (await loadWorkspaceCurrency(transaction)) }
  const isMoved = !before || fields.pipeline_id !== undefined || fields.stage_id !== undefined
  await checkLostReason(before, fields, transaction, errors)
  if (!isMoved) return { ...fields, ...(await deriveStayingLoss(before, fields, transaction, errors)) }

  const pipelineId = await lockPipeline(before, fields, transaction, errors)
  if (pipelineId === undefined) return fields
  const stages = await loadStages([pipelineId], transaction)
  const stage = pickStage(stages, before, fields, pipelineId)
  if (!stage) {
    errors.set('stage_id', 'Stage not found in this pipeline.')
    return fields
  }
  return {
    ...fields,
    ...currency,
    ...placeInStage(stage, before, at),
    ...deriveLoss(stage.type, pickLoss(fields), errors),
    lost_stage_id: deriveLostStage(stage.type, before, await findTypeBefore(before, stages, transaction)),
  }
}

/** The type of the stage that a deal leaves, which may be one of another pipeline. */
async function findTypeBefore(
  before: Deal | undefined,
  stages: readonly Stage[],
  { stores }: WorkspaceTransaction,
): Promise<StageType | undefined> {
  if (!before) return undefined
  const stage = stages.find(({ id }) => id === before.stage_id) ?? (await stores.stages.get(before.stage_id))
  return stage?.type
}

function pickLoss({ lost_reason_id, lost_note }: DealFields): Partial<Loss> {
  return {
    ...(lost_reason_id !== undefined && { lost_reason_id }),
    ...(lost_note !== undefined && { lost_note }),
  }
}

/** The loss of a deal that stays in its stage, which is read only if one is sent. */
async function deriveStayingLoss(
  { stage_id }: Deal,
  fields: DealFields,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<Partial<Loss>> {
  const loss = pickLoss(fields)
  if (Object.keys(loss).length === 0) return {}
  const stage = await stores.stages.get(stage_id)
  return deriveLoss(stage?.type ?? 'open', loss, errors)
}

/** A deleted reason stays on a deal that has it, and is chosen for no other. */
async function checkLostReason(
  before: Deal | undefined,
  { lost_reason_id: id }: DealFields,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<void> {
  if (id == null || id === before?.lost_reason_id) return
  if (!(await stores.lost_reasons.get(id))) errors.set('lost_reason_id', notFoundRule('Lost reason'))
}

/** Sets the closing time when a deal enters a win or lost stage. Staying in a stage changes nothing. */
export function placeInStage(
  stage: Pick<Stage, 'id' | 'pipeline_id' | 'type'>,
  before: Pick<Deal, 'stage_id' | 'closed_at'> | undefined,
  at: Instant,
): Pick<Deal, 'pipeline_id' | 'stage_id' | 'closed_at'> {
  const isSameStage = before?.stage_id === stage.id
  const closed_at = isSameStage ? before.closed_at : stage.type === 'open' ? null : at
  return { pipeline_id: stage.pipeline_id, stage_id: stage.id, closed_at }
}

/** Locks the pipeline, so that its stages cannot be removed while the deal is written. */
async function lockPipeline(
  before: Deal | undefined,
  fields: DealFields,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<string | undefined> {
  const id = fields.pipeline_id ?? before?.pipeline_id
  const pipeline =
    id === undefined ? await lockOldestPipeline(stores) : await stores.pipelines.getForShare(id)
  if (!pipeline)
    errors.set(
      'pipeline_id',
      id === undefined ? 'Required: the workspace has no pipeline.' : 'Pipeline not found.',
    )
  return pipeline?.id
}

/** Repeats the lookup if the oldest pipeline is deleted before it is locked. */
async function lockOldestPipeline(stores: WorkspaceTransaction['stores']): Promise<Pipeline | undefined> {
  for (;;) {
    const { rows } = await stores.pipelines.list({
      page: 1,
      per_page: 1,
      order_by: 'created_at',
      order: 'asc',
      where: [],
    })
    const [oldest] = rows
    const lockedPipeline = oldest && (await stores.pipelines.getForShare(oldest.id))
    if (lockedPipeline || !oldest) return lockedPipeline
  }
}

function pickStage(
  stages: readonly Stage[],
  before: Deal | undefined,
  fields: DealFields,
  pipelineId: string,
): Stage | undefined {
  if (fields.stage_id !== undefined) return stages.find(({ id }) => id === fields.stage_id)
  const isSamePipeline = before?.pipeline_id === pipelineId
  return isSamePipeline ? stages.find(({ id }) => id === before.stage_id) : stages[0]
}

async function loadWorkspaceCurrency({ workspaceId, shared }: WorkspaceTransaction): Promise<Currency> {
  return (await shared.workspaces.get(workspaceId))?.currency ?? 'USD'
}
