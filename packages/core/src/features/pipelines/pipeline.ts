import { buildViews } from '../../engine/build-views.ts'
import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import { loadStages, pipelineStages } from './pipeline-stages.ts'

export const pipelineEvents = lifecycleEvents('pipeline.created', 'pipeline.updated', 'pipeline.deleted')

export const pipelines = defineResource('pipelines', {
  extensions: [pipelineStages],
  loaders: { stages: loadStageViews },
  loadParts: ({ id }, unit) => loadStages([id], unit),
  events: pipelineEvents,
  snapshot: (pipeline) => ({ pipeline }),
})

async function loadStageViews(page: readonly Pipeline[], unit: ViewTransaction) {
  const stages = await loadStages(
    page.map(({ id }) => id),
    unit,
  )
  const views = await buildViews('stages', 'item', stages, unit)
  const byPipeline = Map.groupBy(views, (_, index) => stages[index]!.pipeline_id)
  return ({ id }: Pipeline) => byPipeline.get(id) ?? []
}
