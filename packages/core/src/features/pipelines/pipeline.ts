import { buildViews } from '../../engine/build-views.ts'
import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import { loadStages, pipelineStages } from './pipeline-stages.ts'

export const pipelineEvents = lifecycleEvents('pipeline.created', 'pipeline.updated', 'pipeline.deleted')

export const pipelines = defineResource('pipelines', {
  extensions: [pipelineStages],
  loaders: { stages: loadStageViews },
  loadParts: ({ id }, transaction) => loadStages([id], transaction),
  events: pipelineEvents,
  snapshot: (pipeline) => ({ pipeline }),
})

async function loadStageViews(page: readonly Pipeline[], transaction: ViewTransaction) {
  const stages = await loadStages(
    page.map(({ id }) => id),
    transaction,
  )
  const views = await buildViews('stages', 'item', stages, transaction)
  const byPipeline = Map.groupBy(views, (_, index) => stages[index]!.pipeline_id)
  return ({ id }: Pipeline) => byPipeline.get(id) ?? []
}
