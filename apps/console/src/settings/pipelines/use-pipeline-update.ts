import type { Pipeline, PipelineChanges } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { type Change, useChange } from '../../cache/use-change.ts'
import { patchRecord } from '../../records/edit-records.ts'
import { type PipelineDraft, toPipelineChanges, toRestoringChanges, toShownStages } from './stage-draft.ts'
import { usePipelineTexts } from './texts.ts'

/** Saves a draft, shown at once. */
export function usePipelineUpdate(
  pipeline: Pipeline,
): (draft: PipelineDraft, onError: (error: unknown) => void) => void {
  const { crm } = useConsole()
  const texts = usePipelineTexts()
  const change = useChange()
  const { id } = pipeline
  const buildChange = (changes: PipelineChanges, shown: Pick<Pipeline, 'name' | 'stages'>): Change => ({
    ids: [id],
    send: (call) => call(id, () => crm.pipelines.update(id, changes)),
    // The boards have the id of the pipeline too, and other stages.
    patchOf: () => (data, queryKey) =>
      queryKey.length === 1 ? patchRecord(id, shown)(data, queryKey) : data,
  })
  return (draft, onError) =>
    change({
      ...buildChange(toPipelineChanges(draft), {
        name: draft.name.trim(),
        stages: toShownStages(draft, pipeline.created_at),
      }),
      done: texts.saved,
      undo: () => buildChange(toRestoringChanges(draft), draft.base),
      onError,
    })
}
