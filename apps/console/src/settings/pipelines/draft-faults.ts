import { type PipelineDraft, parseProbability, type StageDraft } from './stage-draft.ts'

/** The faults of a pipeline and its stages. */
export interface PipelineFaults {
  readonly name?: string | undefined
  /** Of all stages, such as that there are none. */
  readonly stages?: string | undefined
  /** By the key of the stage. */
  readonly rows: Readonly<Record<string, StageFaults>>
}

export interface StageFaults {
  readonly name?: string
  readonly probability?: string
  /** Why the stage could not be removed. */
  readonly removal?: string
}

export const NO_FAULTS: PipelineFaults = { rows: {} }

/** The faults that can be seen before anything is sent. */
export function checkDraft(
  { name, stages }: PipelineDraft,
  texts: { readonly required: string; readonly percent: string },
): PipelineFaults {
  const rows: Record<string, StageFaults> = {}
  for (const stage of stages) {
    const faults = {
      ...(stage.name.trim() === '' && { name: texts.required }),
      ...(parseProbability(stage.probability) === undefined && { probability: texts.percent }),
    }
    if (Object.keys(faults).length > 0) rows[stage.key] = faults
  }
  return { ...(name.trim() === '' && { name: texts.required }), rows }
}

export function hasFaults({ name, stages, rows }: PipelineFaults): boolean {
  return name !== undefined || stages !== undefined || Object.keys(rows).length > 0
}

/** Reads the faults of the service: paths such as `stages[1].name`, by the order of what was sent. */
export function readFaults(
  fields: Readonly<Record<string, string>>,
  stages: readonly StageDraft[],
): PipelineFaults {
  const rows: Record<string, StageFaults> = {}
  for (const [path, fault] of Object.entries(fields)) {
    const [, index, field] = /^stages\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? []
    const key = stages[Number(index)]?.key
    if (key !== undefined)
      rows[key] = { ...rows[key], [field === 'probability' ? 'probability' : 'name']: fault }
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
): { readonly draft: PipelineDraft; readonly faults: PipelineFaults } | undefined {
  const kept = new Set(draft.stages.flatMap(({ id }) => id ?? []))
  const removed = draft.base.stages.filter(({ id }) => !kept.has(id))
  const stage = removed.find(({ name }) => reason.includes(`"${name}"`))
  if (!stage) return undefined
  const { id, name, type, probability } = stage
  const row: StageDraft = { key: id, id, name, type, probability: String(probability) }
  const stages = draft.stages.toSpliced(restoredIndex(draft, id), 0, row)
  return { draft: { ...draft, stages }, faults: { rows: { [id]: { removal: reason } } } }
}

/** After the nearest stage that came before it. */
function restoredIndex({ stages, base }: PipelineDraft, id: string): number {
  const place = base.stages.findIndex((stage) => stage.id === id)
  const before = base.stages.slice(0, place).map((stage) => stages.findIndex(({ key }) => key === stage.id))
  return (before.findLast((index) => index >= 0) ?? -1) + 1
}
