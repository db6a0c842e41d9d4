import type * as v from 'valibot'
import { recordApi } from '../../engine/crud.ts'
import { deleteRecord } from '../../engine/delete-record.ts'
import type { Engine, IdempotentCreation } from '../../engine/extension.ts'
import { keyedCreation, keyedUpdate, type UpdateOptions } from '../../engine/keyed-writes.ts'
import { buildDetailView, loadForUpdate } from '../../engine/load-record.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import { requireVersion, type WriteConditions } from '../../engine/record-version.ts'
import { throwIfErrors, validate, validatePatch } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/errors.ts'
import { requirePermission } from '../../kernel/permissions.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Stage } from '../../schema/stage.ts'
import { buildStages, editStages, type StageEdit } from './edit-stages.ts'
import { loadStages, type PipelineView, pipelines } from './pipeline.ts'

/** Creates, changes and deletes pipelines together with their stages, which are records of their own. */
export function pipelineApi(engine: Engine) {
  const { storage } = engine
  const records = recordApi(pipelines, engine)

  async function create(
    actor: Actor,
    input: v.InferInput<typeof pipelines.create>,
    { keyErrors, saveResponse }: IdempotentCreation,
  ): Promise<PipelineView> {
    requireScope(actor, pipelines.scopes.write)
    const fields = validate(pipelines.create, input, 'field', keyErrors)
    return storage.transact(async (tx) => {
      const unit = inWorkspace(tx, actor.workspaceId)
      requirePermission(await withCurrentRole(actor, unit), 'create', pipelines, undefined)
      const view = await createPipeline(engine, fields, unit)
      await saveResponse(tx, view)
      return view
    })
  }

  async function update(
    actor: Actor,
    id: string,
    input: v.InferInput<typeof pipelines.update>,
    options: UpdateOptions,
  ): Promise<PipelineView> {
    requireScope(actor, pipelines.scopes.write)
    const fields = validatePatch(pipelines.update, input)
    return storage.transact(async (tx) => {
      const unit = inWorkspace(tx, actor.workspaceId)
      const view = await updatePipeline(engine, actor, id, { ...fields, conditions: options }, unit)
      await options.saveResponse?.(tx, view)
      return view
    })
  }

  const api: typeof records = {
    list: records.list,
    get: records.get,
    getVersioned: records.getVersioned,

    ...keyedCreation(pipelines, engine, create),

    ...keyedUpdate(pipelines, engine, update),

    async remove(actor, id, conditions) {
      requireScope(actor, pipelines.scopes.write)
      await deleteRecord(pipelines, engine, actor, id, { conditions, beforeDelete: assertPipelineEmpty })
    },
  }
  return api
}

/** Creates a pipeline in a transaction, and sends its event. */
export async function createPipeline(
  { now, newId, prepareEvents }: Engine,
  { name, stages }: v.InferOutput<typeof pipelines.create>,
  unit: WorkspaceTransaction,
): Promise<PipelineView> {
  const at = now()
  const pipeline = { id: newId(), name, created_at: at, updated_at: at }
  await unit.stores.pipelines.insert(pipeline)
  await unit.stores.stages.insertMany(buildStages(pipeline.id, stages, { newId, at }))
  const [view, emit] = await Promise.all([
    buildDetailView(pipelines, pipeline, unit),
    prepareEvents(pipelines, unit),
  ])
  await emit({ after: async () => view }, { at, newId })
  return view
}

interface PipelineUpdate extends v.InferOutput<typeof pipelines.update> {
  readonly conditions: WriteConditions
}

async function updatePipeline(
  engine: Engine,
  actor: Actor,
  id: string,
  { name, stages, conditions }: PipelineUpdate,
  unit: WorkspaceTransaction,
): Promise<PipelineView> {
  const { now, newId, prepareEvents } = engine
  const [before, emit] = await Promise.all([
    loadForUpdate(pipelines, id, unit),
    prepareEvents(pipelines, unit),
  ])
  const stagesBefore = await loadStages([before.id], unit)
  const at = now()
  const errors = new Map<string, string>()
  const edit = stages && editStages(stagesBefore, before.id, stages, { newId, at }, errors)
  throwIfErrors(errors)
  requirePermission(await withCurrentRole(actor, unit), 'update', pipelines, before)
  requireVersion(before, conditions, engine, stagesBefore)
  if (edit) await applyEdit(edit, at, unit)
  const after = { ...before, name: name ?? before.name, updated_at: at }
  if (!edit && after.name === before.name) return buildDetailView(pipelines, before, unit)
  await unit.stores.pipelines.update(after)
  const view = await buildDetailView(pipelines, after, unit)
  const change = { before: () => buildDetailView(pipelines, before, unit), after: async () => view }
  await emit(change, { at, newId })
  return view
}

/** @throws CrmError `conflict` */
async function assertPipelineEmpty({ id }: Pipeline, { stores }: WorkspaceTransaction): Promise<void> {
  const [{ count = 0 } = {}] = await stores.deals.aggregate({
    where: [{ field: 'pipeline_id', is: id }],
    groupBy: [],
    order: 'count',
    limit: 1,
  })
  if (count > 0) throw conflict('deals', `Holds ${describeDeals(count)}`)
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
