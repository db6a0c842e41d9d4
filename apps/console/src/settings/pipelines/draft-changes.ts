import { findMovedIndexes } from '../order/move-item.ts'
import { type PipelineDraft, parseProbability, type StageDraft, type StageType } from './stage-draft.ts'

/** A difference between a draft and the pipeline when the editing began. */
export type DraftChange =
  | { readonly kind: 'pipelineRenamed'; readonly name: string }
  | { readonly kind: 'added'; readonly name: string }
  | { readonly kind: 'removed'; readonly name: string }
  | { readonly kind: 'renamed'; readonly name: string; readonly to: string }
  | { readonly kind: 'retyped'; readonly name: string; readonly to: StageType }
  | { readonly kind: 'weighted'; readonly name: string; readonly to: string }
  /** `before` is undefined if the stage is now the last one. */
  | { readonly kind: 'moved'; readonly name: string; readonly before: string | undefined }

export function findChanges({ name, stages, base }: PipelineDraft): readonly DraftChange[] {
  const keys = stages.map(({ key }) => key)
  const moved = findMovedIndexes(
    base.stages.map(({ id }) => id),
    keys,
  )
  return [
    ...(name.trim() === base.name ? [] : [{ kind: 'pipelineRenamed' as const, name: name.trim() }]),
    ...moved.map((index) => ({
      kind: 'moved' as const,
      name: stages[index]?.name ?? '',
      before: stages[index + 1]?.name,
    })),
    ...stages.flatMap((stage) => findStageChanges(stage, base)),
    ...base.stages
      .filter(({ id }) => !keys.includes(id))
      .map((stage) => ({ kind: 'removed' as const, name: stage.name })),
  ]
}

function findStageChanges(stage: StageDraft, base: PipelineDraft['base']): readonly DraftChange[] {
  const before = base.stages.find(({ id }) => id === stage.id)
  if (!before) return [{ kind: 'added', name: stage.name.trim() }]
  const { name } = before
  const changes: DraftChange[] = []
  if (stage.name.trim() !== name) changes.push({ kind: 'renamed', name, to: stage.name.trim() })
  if (stage.type !== before.type) changes.push({ kind: 'retyped', name, to: stage.type })
  else if (parseProbability(stage.probability) !== before.probability)
    changes.push({ kind: 'weighted', name, to: stage.probability.trim() })
  return changes
}
