import { authorize } from '../actor.ts'
import { conflict } from '../errors.ts'
import { permit } from '../permissions.ts'
import type { Ports } from '../ports.ts'
import { detailOf, existing, removeRecord } from '../records/existing.ts'
import { throwIfAny, validate, validatePatch } from '../records/input.ts'
import { recordApi } from '../records/records.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { emitChange, subscribersTo } from '../webhooks/emit.ts'
import { pipelines, stagesOf } from './pipeline.ts'
import { editStages, newStages, type StageEdit } from './stages.ts'

/** A pipeline is made and edited together with its stages, which are records of their own. */
export function pipelineApi(ports: Ports) {
  const { storage, now, newId } = ports
  const records = recordApi(pipelines, ports)

  const api: Omit<typeof records, 'createOnce'> = {
    list: records.list,
    get: records.get,

    async create(actor, input) {
      authorize(actor, pipelines.scopes.write)
      const { name, stages } = validate(pipelines.create, input)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        permit(actor, 'create', pipelines.label, undefined)
        const at = now()
        const pipeline = { id: newId(), name, created_at: at, updated_at: at }
        await unit.stores.pipelines.insert(pipeline)
        await unit.stores.stages.insertMany(newStages(pipeline.id, stages, { newId, at }))
        const [view, webhooks] = await Promise.all([detailOf(pipelines, pipeline, unit), subscribersTo(pipelines, unit)])
        await emitChange(pipelines, { after: async () => view }, webhooks, unit, { at, newId })
        return view
      })
    },

    async update(actor, id, input) {
      authorize(actor, pipelines.scopes.write)
      const { stages, name } = validatePatch(pipelines.update, input)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const [before, webhooks] = await Promise.all([existing(pipelines, id, unit, 'getForUpdate'), subscribersTo(pipelines, unit)])
        const at = now()
        const errors = new Map<string, string>()
        const edit = stages && editStages(await stagesOf([before.id], unit), before.id, stages, { newId, at }, errors)
        throwIfAny(errors)
        permit(actor, 'update', pipelines.label, before)
        if (edit) await applyEdit(edit, at, unit)
        const after = { ...before, name: name ?? before.name, updated_at: at }
        if (!edit && after.name === before.name) return detailOf(pipelines, before, unit)
        await unit.stores.pipelines.update(after, before)
        const view = await detailOf(pipelines, after, unit)
        const seen = { before: () => detailOf(pipelines, before, unit), after: async () => view }
        await emitChange(pipelines, seen, webhooks, unit, { at, newId })
        return view
      })
    },

    async remove(actor, id) {
      authorize(actor, pipelines.scopes.write)
      await removeRecord(pipelines, ports, actor, id, async (pipeline, { stores }) => {
        const holdsDeals = await stores.deals.has([{ field: 'pipeline_id', is: pipeline.id }])
        if (holdsDeals) throw conflict('deals', 'The pipeline still holds deals.')
      })
    },
  }
  return api
}

async function applyEdit({ added, changed, removed }: StageEdit, at: string, { stores }: Unit): Promise<void> {
  const gone = removed.map(({ id }) => id)
  if (gone.length > 0 && (await stores.deals.has([{ field: 'stage_id', oneOf: gone }]))) {
    throw conflict('stages', 'A stage that is to be removed still holds deals.')
  }
  for (const id of gone) await stores.stages.softDelete(id, at)
  for (const stage of changed) await stores.stages.update(stage)
  await stores.stages.insertMany(added)
}
