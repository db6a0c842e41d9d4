import type { Pipeline } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { explainError, fieldErrors } from '../../cache/explain-error.ts'
import { useDraft } from '../../create/draft.ts'
import { type DraftChange, findChanges } from './draft-changes.ts'
import {
  checkDraft,
  hasErrors,
  NO_FAULTS,
  type PipelineErrors,
  readErrors,
  restoreStage,
} from './draft-errors.ts'
import { isOutdated, type PipelineDraft, toDraft } from './stage-draft.ts'
import { usePipelineTexts } from './texts.ts'
import { usePipelineUpdate } from './use-pipeline-update.ts'

export interface PipelineEditing {
  readonly draft: PipelineDraft
  readonly changes: readonly DraftChange[]
  readonly errors: PipelineErrors
  /** An error of no field. */
  readonly error: string | undefined
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
  const [errors, setErrors] = useState<PipelineErrors>(NO_FAULTS)
  const [error, setError] = useState<string>()
  const update = usePipelineUpdate(pipeline)
  const draft = stored ?? toDraft(pipeline)

  function showErrors(error: unknown): void {
    const fields = fieldErrors(error)
    const restored = fields['stages'] === undefined ? undefined : restoreStage(draft, fields['stages'])
    store(restored?.draft ?? draft)
    const found = restored?.errors ?? readErrors(fields, draft.stages)
    setErrors(found)
    if (!hasErrors(found)) setError(shared.errors.notSaved(explainError(error, shared)))
  }

  return {
    draft,
    changes: stored ? findChanges(stored) : [],
    errors,
    error,
    isOutdated: stored !== null && isOutdated(stored, pipeline),
    edit: (changes) => store({ ...draft, ...changes }),
    discard() {
      clear()
      setErrors(NO_FAULTS)
      setError(undefined)
    },
    save() {
      if (!stored) return
      const found = checkDraft(draft, { required: shared.errors.required, percent: texts.percentError })
      setErrors(found)
      setError(undefined)
      if (hasErrors(found)) return
      clear()
      update(draft, showErrors)
    },
  }
}
