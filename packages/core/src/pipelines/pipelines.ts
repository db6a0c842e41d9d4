import * as v from 'valibot'
import { authorize } from '../actor.ts'
import { conflict } from '../errors.ts'
import { permit } from '../permissions.ts'
import type { Ports } from '../ports.ts'
import { changeable, integer, line, listOf, object, oneOf, optional, uuid } from '../records/fields.ts'
import { throwIfAny, validate, validatePatch } from '../records/input.ts'
import { detailOf, existing, recordApi, removeRecord } from '../records/records.ts'
import { defineResource, nothingToSettle } from '../records/resource.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import type { Pipeline, Stage } from './pipeline.ts'
import { editStages, newStages, type StageEdit } from './stages.ts'

export interface StageView extends Pick<Stage, 'id' | 'name' | 'type' | 'probability' | 'created_at'> {}

export interface PipelineView extends Omit<Pipeline, 'updated_at'> {
  readonly stages: readonly StageView[]
}

const name = line(1, 80)
const stage = { type: oneOf(['open', 'win', 'lost']), probability: integer(0, 100) }
const newStage = object({ name, ...optional(stage) })
const stageEdit = v.pipe(
  object(optional({ id: uuid, name, ...stage })),
  v.forward(
    v.partialCheck([['id'], ['name']], ({ id, name }) => id != null || name != null, 'Required.'),
    ['name'],
  ),
)

export const pipelines = defineResource<Pipeline>()({
  label: 'Pipeline',
  scopes: { read: 'deals:read', write: 'deals:write' },
  store: (stores) => stores.pipelines,
  orderBy: ['created_at', 'name'],
  filters: {},
  create: object({ name, stages: listOf(newStage, 1, 50, 'stages') }),
  update: object(changeable({ name, stages: listOf(stageEdit, 1, 50, 'stages') })),
  references: {},
  codeLetter: null,
  blank: { name: '' },
  settle: nothingToSettle,
  events: pipelineEvents,
  listView: pipelineViews,
  detailView: pipelineViews,
})

/** A pipeline is made and edited together with its stages, which are records of their own. */
export function pipelineApi(ports: Ports) {
  const { storage, now, newId } = ports
  const records = recordApi(pipelines, ports)

  const api: typeof records = {
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
        return detailOf(pipelines, pipeline, unit)
      })
    },

    async update(actor, id, input) {
      authorize(actor, pipelines.scopes.write)
      const { stages, name } = validatePatch(pipelines.update, input)
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const before = await existing(pipelines, id, unit, 'getForUpdate')
        const at = now()
        const errors = new Map<string, string>()
        const edit = stages && editStages(await stagesOf([before.id], unit), before.id, stages, { newId, at }, errors)
        throwIfAny(errors)
        permit(actor, 'update', pipelines.label, before)
        const editing = edit !== undefined && (edit.added.length > 0 || edit.changed.length > 0 || edit.removed.length > 0)
        if (edit && editing) await applyEdit(edit, at, unit)
        const after = { ...before, name: name ?? before.name, updated_at: at }
        if (!editing && after.name === before.name) return detailOf(pipelines, before, unit)
        await unit.stores.pipelines.update(after)
        return detailOf(pipelines, after, unit)
      })
    },

    async remove(actor, id) {
      authorize(actor, pipelines.scopes.write)
      await removeRecord(pipelines, storage, actor, id, now(), async (pipeline, { stores }) => {
        const holdsDeals = await stores.deals.has([{ field: 'pipeline_id', is: pipeline.id }])
        if (holdsDeals) throw conflict('deals', 'The pipeline still holds deals.')
      })
    },
  }
  return api
}

export function pipelineEvents(before: object | undefined, after: object | undefined): readonly string[] {
  if (!before) return ['pipeline.created']
  return after ? ['pipeline.updated'] : ['pipeline.deleted']
}

/** The stages of these pipelines, each pipeline's in its order. */
export async function stagesOf(pipelineIds: readonly string[], { stores }: Unit): Promise<readonly Stage[]> {
  const stages = await stores.stages.find([{ field: 'pipeline_id', oneOf: pipelineIds }])
  return stages.toSorted((a, b) => a.position - b.position)
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

async function pipelineViews(page: readonly Pipeline[], unit: Unit): Promise<PipelineView[]> {
  const stages = await stagesOf(
    page.map(({ id }) => id),
    unit,
  )
  const byPipeline = Map.groupBy(stages, ({ pipeline_id }) => pipeline_id)
  return page.map(({ id, name, created_at }) => ({ id, name, created_at, stages: (byPipeline.get(id) ?? []).map(stageView) }))
}

function stageView({ id, name, type, probability, created_at }: Stage): StageView {
  return { id, name, type, probability, created_at }
}
