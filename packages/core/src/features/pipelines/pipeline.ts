import { buildViews } from '../../engine/build-views.ts'
import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Pipeline, SETTINGS_INCLUDE } from '../../schema/pipeline.ts'
import { listIncludes } from '../../schema/responses.ts'
import { loadStages, pipelineStages } from './pipeline-stages.ts'

export const pipelineEvents = lifecycleEvents('pipeline.created', 'pipeline.updated', 'pipeline.deleted')

export const pipelines = defineResource('pipelines', {
  extensions: [pipelineStages],
  loaders: { stages: loadStageViews },
  loadParts: ({ id }, transaction) => loadStages([id], transaction),
  events: pipelineEvents,
  snapshot: (pipeline) => ({ pipeline }),
})

async function loadStageViews(
  page: readonly Pipeline[],
  transaction: ViewTransaction,
  include: readonly string[],
) {
  const stages = await loadStages(
    page.map(({ id }) => id),
    transaction,
  )
  const views = await buildViews('stages', 'item', stages, transaction, {
    include: include.includes(SETTINGS_INCLUDE) ? listIncludes('stages') : [],
  })
  const byPipeline = Map.groupBy(views, (_, index) => stages[index]!.pipeline_id)
  return ({ id }: Pipeline) => byPipeline.get(id) ?? []
}
