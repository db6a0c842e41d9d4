import type { Extension } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { conflict } from '../../kernel/errors.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Stage } from '../../schema/stage.ts'
import { buildStages, editStages, type StageEdit, type StageEntry } from './edit-stages.ts'

/** The stages of a pipeline, which are records of their own. */
export const pipelineStages: Extension<Pipeline> = {
  inputFields: ['stages'],
  lock: 'pessimistic',

  async resolve(input, before, transaction, errors, context) {
    const entries = input['stages'] as readonly StageEntry[] | undefined
    if (!entries) return {}
    if (!before) {
      const insertStages = ({ id }: Pipeline, { stores }: WorkspaceTransaction) =>
        stores.stages.insertMany(buildStages(id, entries, context))
      return { saveParts: insertStages }
    }
    const edit = editStages(await loadStages([before.id], transaction), before.id, entries, context, errors)
    return edit ? { saveParts: (_, transaction) => applyEdit(edit, context.at, transaction) } : {}
  },

  /** @throws CrmError `conflict` */
  async beforeDelete({ id }, { service: { stores } }) {
    const [{ count = 0 } = {}] = await stores.deals.aggregate({
      where: [{ field: 'pipeline_id', is: id }],
      groupBy: [],
      order: 'count',
      limit: 1,
    })
    if (count > 0) throw conflict('deals', `Holds ${describeDeals(count)}`)
  },
}

/** Returns the stages of the pipelines, those of each pipeline in order. */
export async function loadStages(
  pipelineIds: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<readonly Stage[]> {
  const stages = await stores.stages.find([{ field: 'pipeline_id', oneOf: pipelineIds }])
  return stages.toSorted((a, b) => a.position - b.position)
}

async function applyEdit(
  { added, changed, removed }: StageEdit,
  at: string,
  { stores }: WorkspaceTransaction,
): Promise<void> {
  if (removed.length > 0) await assertStagesEmpty(removed, stores)
  for (const { id } of removed) await stores.stages.softDelete(id, at)
  for (const stage of changed) await stores.stages.update(stage)
  await stores.stages.insertMany(added)
}

/** @throws CrmError `conflict` that names the stage with most deals */
async function assertStagesEmpty(stages: readonly Stage[], { deals }: WorkspaceStores): Promise<void> {
  const [group] = await deals.aggregate({
    where: [{ field: 'stage_id', oneOf: stages.map(({ id }) => id) }],
    groupBy: [{ field: 'stage_id' }],
    order: 'count',
    limit: 1,
  })
  if (!group) return
  const { name = '' } = stages.find(({ id }) => id === group.keys[0]) ?? {}
  throw conflict('stages', `The stage "${name}" holds ${describeDeals(group.count)}`)
}

function describeDeals(count: number): string {
  return count === 1 ? '1 deal. Move or delete it first.' : `${count} deals. Move or delete them first.`
}
