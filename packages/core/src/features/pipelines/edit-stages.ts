import type { ChangeContext } from '../../engine/extension.ts'
import { hasChanges } from '../../engine/patch.ts'
import type { Stage, StageType } from '../../schema/stage.ts'
import { isFieldOfType } from './requirable-fields.ts'

/** A stage in an input. */
export interface StageEntry {
  readonly id?: string | null | undefined
  readonly name?: string | null | undefined
  readonly type?: StageType | null | undefined
  readonly probability?: number | null | undefined
  readonly required_fields?: readonly string[] | null | undefined
  /** Null removes the limit. */
  readonly stale_after_days?: number | null | undefined
}

export interface StageEdit {
  readonly added: readonly Stage[]
  readonly changed: readonly Stage[]
  readonly removed: readonly Stage[]
}

const PROBABILITY: Readonly<Record<StageType, number>> = { open: 50, win: 100, lost: 0 }

export function buildStages(
  pipelineId: string,
  entries: readonly StageEntry[],
  context: ChangeContext,
): Stage[] {
  return entries.map((entry, position) => buildStage(pipelineId, position, entry, context))
}

/**
 * Returns the stages that replace a pipeline's current ones, or `undefined` if nothing changes. An entry with
 * an id keeps that stage, an entry without one adds a stage, and a stage without an entry is removed. Invalid
 * entries are reported in `errors`.
 */
export function editStages(
  current: readonly Stage[],
  pipelineId: string,
  entries: readonly StageEntry[],
  context: ChangeContext,
  errors: Map<string, string>,
): StageEdit | undefined {
  const byId = new Map(current.map((stage) => [stage.id, stage]))
  const keptIds = new Set<string>()
  const added: Stage[] = []
  const changed: Stage[] = []
  for (const [position, entry] of entries.entries()) {
    if (entry.id == null) {
      added.push(buildStage(pipelineId, position, entry, context))
      continue
    }
    const stage = byId.get(entry.id)
    if (!stage) errors.set(`stages[${position}].id`, 'Stage not found.')
    else if (keptIds.has(stage.id)) errors.set(`stages[${position}].id`, 'Must not name a stage twice.')
    else {
      const edited = { ...stage, ...deriveStageFields(entry, stage), position }
      if (hasChanges(stage, edited)) changed.push({ ...edited, updated_at: context.at })
      keptIds.add(stage.id)
    }
  }
  const removed = current.filter(({ id }) => !keptIds.has(id))
  return added.length + changed.length + removed.length > 0 ? { added, changed, removed } : undefined
}

function buildStage(
  pipeline_id: string,
  position: number,
  entry: StageEntry,
  { newId, at }: ChangeContext,
): Stage {
  return {
    id: newId(),
    pipeline_id,
    position,
    ...deriveStageFields(entry, undefined),
    created_at: at,
    updated_at: at,
  }
}

/** A stage whose type changes gets the type's default probability, unless one is sent. */
function deriveStageFields(
  entry: StageEntry,
  before: Stage | undefined,
): Omit<Stage, 'id' | 'pipeline_id' | 'position' | 'created_at' | 'updated_at'> {
  const type = entry.type ?? before?.type ?? 'open'
  const probability = entry.probability ?? (before?.type === type ? before.probability : PROBABILITY[type])
  return {
    name: entry.name ?? before?.name ?? '',
    ...{ type, probability },
    required_fields:
      entry.required_fields ?? (before?.required_fields ?? []).filter((field) => isFieldOfType(field, type)),
    stale_after_days:
      entry.stale_after_days === undefined ? (before?.stale_after_days ?? null) : entry.stale_after_days,
  }
}
