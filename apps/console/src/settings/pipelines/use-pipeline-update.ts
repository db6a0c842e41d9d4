import type { Pipeline, PipelineChanges } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { mapRecords } from '../../cache/map-records.ts'
import { changeCache } from '../../cache/optimistic-change.ts'
import { useChange } from '../../cache/use-change.ts'
import { type PipelineDraft, toPipelineChanges, toRestoringChanges, toShownStages } from './stage-draft.ts'
import { usePipelineTexts } from './texts.ts'

/** Saves a draft, shown at once. */
export function usePipelineUpdate(
  pipeline: Pipeline,
): (draft: PipelineDraft, onFault: (error: unknown) => void) => void {
  const { crm } = useConsole()
  const texts = usePipelineTexts()
  const change = useChange()
  const send = (changes: PipelineChanges) => () => crm.pipelines.update(pipeline.id, changes)
  const show = (shown: Pick<Pipeline, 'name' | 'stages'>) => (client: Parameters<typeof changeCache>[0]) =>
    changeCache(client, (data, queryKey) =>
      // The boards have the id of the pipeline too, and other stages.
      queryKey.length === 1 ? mapRecords(data, pipeline.id, (record) => ({ ...record, ...shown })) : data,
    )
  return (draft, onFault) =>
    change({
      send: send(toPipelineChanges(draft)),
      show: show({ name: draft.name.trim(), stages: toShownStages(draft, pipeline.created_at) }),
      done: texts.saved,
      undo: () => ({
        send: send(toRestoringChanges(draft)),
        show: show({ name: draft.base.name, stages: draft.base.stages }),
      }),
      onFault,
    })
}
