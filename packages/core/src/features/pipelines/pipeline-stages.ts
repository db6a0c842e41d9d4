import type { Extension } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { conflict } from '../../kernel/errors.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Pipeline } from '../../schema/pipeline.ts'
import type { Stage } from '../../schema/stage.ts'
import { buildStages, editStages, type StageEdit, type StageEntry } from './edit-stages.ts'
import { findNameError, readCustomKey } from './requirable-fields.ts'

/** The stages of a pipeline, which are records of their own. */
export const pipelineStages: Extension<Pipeline> = {
  inputFields: ['stages'],
  lock: 'pessimistic',

  async resolve(input, before, transaction, errors, context) {
    const entries = input['stages'] as readonly StageEntry[] | undefined
    if (!entries) return {}
    const current = before ? await loadStages([before.id], transaction) : []
    await checkRequiredFields(entries, current, transaction, errors)
    if (!before) {
      const insertStages = ({ id }: Pipeline, { stores }: WorkspaceTransaction) =>
        stores.stages.insertMany(buildStages(id, entries, context))
      return { saveParts: insertStages }
    }
    const edit = editStages(current, before.id, entries, context, errors)
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

/** Checks the names of required fields that change, or whose stage gets another type. */
async function checkRequiredFields(
  entries: readonly StageEntry[],
  current: readonly Stage[],
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<void> {
  const keys = entries
    .flatMap(({ required_fields }) => required_fields ?? [])
    .flatMap((name) => readCustomKey(name) ?? [])
  const fields =
    keys.length === 0
      ? []
      : await stores.custom_fields.find([
          { field: 'key', oneOf: keys },
          { field: 'show_deals', is: true },
        ])
  const customKeys = new Set(fields.map(({ key }) => key))
  const byId = new Map(current.map((stage) => [stage.id, stage]))
  for (const [position, entry] of entries.entries()) {
    const before = byId.get(entry.id ?? '')
    const type = entry.type ?? before?.type ?? 'open'
    const kept = type === before?.type ? before.required_fields : []
    for (const [index, name] of (entry.required_fields ?? []).entries()) {
      const rule = kept.includes(name) ? undefined : findNameError(name, type, customKeys)
      if (rule !== undefined) errors.set(`stages[${position}].required_fields[${index}]`, rule)
    }
  }
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
