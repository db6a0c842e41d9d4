import type { Pipeline } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { explainError, fieldFaults } from '../../cache/explain-error.ts'
import { useDraft } from '../../create/draft.ts'
import { type DraftChange, findChanges } from './draft-changes.ts'
import {
  checkDraft,
  hasFaults,
  NO_FAULTS,
  type PipelineFaults,
  readFaults,
  restoreStage,
} from './draft-faults.ts'
import { isOutdated, type PipelineDraft, toDraft } from './stage-draft.ts'
import { usePipelineTexts } from './texts.ts'
import { usePipelineUpdate } from './use-pipeline-update.ts'

export interface PipelineEditing {
  readonly draft: PipelineDraft
  readonly changes: readonly DraftChange[]
  readonly faults: PipelineFaults
  /** A fault of no field. */
  readonly fault: string | undefined
  readonly isOutdated: boolean
  edit(changes: Partial<Pick<PipelineDraft, 'name' | 'stages'>>): void
  discard(): void
  save(): void
}

/** The unsaved changes of a pipeline, which stay when the page is left. */
export function usePipelineDraft(pipeline: Pipeline): PipelineEditing {
  const { texts: shared } = useConsole()
  const texts = usePipelineTexts()
  const [stored, store, clear] = useDraft<PipelineDraft | null>(`pipeline.${pipeline.id}`, null)
  const [faults, setFaults] = useState<PipelineFaults>(NO_FAULTS)
  const [fault, setFault] = useState<string>()
  const update = usePipelineUpdate(pipeline)
  const draft = stored ?? toDraft(pipeline)

  function showFaults(error: unknown): void {
    const fields = fieldFaults(error)
    const restored = fields['stages'] === undefined ? undefined : restoreStage(draft, fields['stages'])
    store(restored?.draft ?? draft)
    const found = restored?.faults ?? readFaults(fields, draft.stages)
    setFaults(found)
    if (!hasFaults(found)) setFault(shared.faults.notSaved(explainError(error, shared)))
  }

  return {
    draft,
    changes: stored ? findChanges(stored) : [],
    faults,
    fault,
    isOutdated: stored !== null && isOutdated(stored, pipeline),
    edit: (changes) => store({ ...draft, ...changes }),
    discard() {
      clear()
      setFaults(NO_FAULTS)
      setFault(undefined)
    },
    save() {
      if (!stored) return
      const found = checkDraft(draft, { required: shared.faults.required, percent: texts.percentFault })
      setFaults(found)
      setFault(undefined)
      if (hasFaults(found)) return
      clear()
      update(draft, showFaults)
    },
  }
}
