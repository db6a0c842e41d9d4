import { type PipelineDraft, parseProbability, type StageDraft } from './stage-draft.ts'

/** The errors of a pipeline and its stages. */
export interface PipelineErrors {
  readonly name?: string | undefined
  /** Of all stages, such as that there are none. */
  readonly stages?: string | undefined
  /** By the key of the stage. */
  readonly rows: Readonly<Record<string, StageErrors>>
}

export interface StageErrors {
  readonly name?: string
  readonly probability?: string
  /** Why the stage could not be removed. */
  readonly removal?: string
}

export const NO_FAULTS: PipelineErrors = { rows: {} }

/** The errors that can be seen before anything is sent. */
export function checkDraft(
  { name, stages }: PipelineDraft,
  texts: { readonly required: string; readonly percent: string },
): PipelineErrors {
  const rows: Record<string, StageErrors> = {}
  for (const stage of stages) {
    const errors = {
      ...(stage.name.trim() === '' && { name: texts.required }),
      ...(parseProbability(stage.probability) === undefined && { probability: texts.percent }),
    }
    if (Object.keys(errors).length > 0) rows[stage.key] = errors
  }
  return { ...(name.trim() === '' && { name: texts.required }), rows }
}

export function hasErrors({ name, stages, rows }: PipelineErrors): boolean {
  return name !== undefined || stages !== undefined || Object.keys(rows).length > 0
}

/** Reads the errors of the service: paths such as `stages[1].name`, by the order of what was sent. */
export function readErrors(
  fields: Readonly<Record<string, string>>,
  stages: readonly StageDraft[],
): PipelineErrors {
  const rows: Record<string, StageErrors> = {}
  for (const [path, error] of Object.entries(fields)) {
    const [, index, field] = /^stages\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? []
    const key = stages[Number(index)]?.key
    if (key !== undefined)
      rows[key] = { ...rows[key], [field === 'probability' ? 'probability' : 'name']: error }
  }
  return { name: fields['name'], stages: fields['stages'], rows }
}

/**
 * Puts back the stage that the service has refused to delete, with the reason at its row. The service names it in
 * quotes. Returns undefined if it named none of those that the draft has removed.
 */
export function restoreStage(
  draft: PipelineDraft,
  reason: string,
): { readonly draft: PipelineDraft; readonly errors: PipelineErrors } | undefined {
  const kept = new Set(draft.stages.flatMap(({ id }) => id ?? []))
  const removed = draft.base.stages.filter(({ id }) => !kept.has(id))
  const stage = removed.find(({ name }) => reason.includes(`"${name}"`))
  if (!stage) return undefined
  const { id, name, type, probability } = stage
  const row: StageDraft = { key: id, id, name, type, probability: String(probability) }
  const stages = draft.stages.toSpliced(restoredIndex(draft, id), 0, row)
  return { draft: { ...draft, stages }, errors: { rows: { [id]: { removal: reason } } } }
}

/** After the nearest stage that came before it. */
function restoredIndex({ stages, base }: PipelineDraft, id: string): number {
  const place = base.stages.findIndex((stage) => stage.id === id)
  const before = base.stages.slice(0, place).map((stage) => stages.findIndex(({ key }) => key === stage.id))
  return (before.findLast((index) => index >= 0) ?? -1) + 1
}
