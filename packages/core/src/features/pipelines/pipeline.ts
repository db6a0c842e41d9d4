import * as v from 'valibot'
import { defineResource, lifecycleEvents, noDerivedFields } from '../../engine/resource.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { integer, oneOf, uuid } from '../../kernel/field-schemas.ts'
import { changeable, listOf, object, optional } from '../../kernel/object-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Stage } from '../../schema/stage.ts'

/** A stage, in the view of its pipeline. */
export interface StageView extends Pick<Stage, 'id' | 'name' | 'type' | 'probability' | 'created_at'> {}

/** A pipeline as `crm.pipelines` returns it. */
export interface PipelineView extends Omit<Pipeline, 'updated_at'> {
  /** In order, at least one. A new deal begins in the first by default. */
  readonly stages: readonly StageView[]
}

const name = singleLineText(1, 80)
const stage = { type: oneOf(['open', 'win', 'lost']), probability: integer(0, 100) }
const newStage = object({ name, ...optional(stage) })
const stageEdit = v.pipe(
  object(optional({ id: uuid, name, ...stage })),
  v.forward(
    v.partialCheck([['id'], ['name']], ({ id, name }) => id != null || name != null, 'Required.'),
    ['name'],
  ),
)

export const pipelineEvents = lifecycleEvents('pipeline.created', 'pipeline.updated', 'pipeline.deleted')

/**
 * The definition of pipelines: the schemas of `PipelineInput` (`create`) and `PipelineChanges` (`update`),
 * and the filters, orders and scopes.
 */
export const pipelines = defineResource<Pipeline>()({
  label: 'Pipeline',
  scopes: { read: 'deals:read', write: 'deals:write' },
  collection: 'pipelines',
  orderBy: ['created_at', 'name'],
  filters: {},
  create: object({ name, stages: listOf(newStage, 1, 50, 'stages') }),
  update: object(changeable({ name, stages: listOf(stageEdit, 1, 50, 'stages') })),
  references: {},
  codePrefix: null,
  defaults: { name: '' },
  searchTerms: null,
  deriveFields: noDerivedFields,
  events: pipelineEvents,
  listView: buildPipelineViews,
  detailView: buildPipelineViews,
  loadParts: ({ id }, unit) => loadStages([id], unit),
  snapshot: (pipeline) => ({ pipeline }),
})

/** Returns the stages of the pipelines, those of each pipeline in order. */
export async function loadStages(
  pipelineIds: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<readonly Stage[]> {
  const stages = await stores.stages.find([{ field: 'pipeline_id', oneOf: pipelineIds }])
  return stages.toSorted((a, b) => a.position - b.position)
}

async function buildPipelineViews(
  page: readonly Pipeline[],
  unit: WorkspaceTransaction,
): Promise<PipelineView[]> {
  const stages = await loadStages(
    page.map(({ id }) => id),
    unit,
  )
  const byPipeline = Map.groupBy(stages, ({ pipeline_id }) => pipeline_id)
  return page.map(({ id, name, created_at }) => ({
    id,
    name,
    created_at,
    stages: (byPipeline.get(id) ?? []).map(toStageView),
  }))
}

function toStageView({ id, name, type, probability, created_at }: Stage): StageView {
  return { id, name, type, probability, created_at }
}
