import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { explainError, PartialFailure } from '../cache/explain-error.ts'
import { runInParallel } from '../cache/run-in-parallel.ts'
import { type Change, useChange } from '../cache/use-change.ts'
import { showError } from '../ui/toasts.tsx'
import type { ActionRecord, SelectedRecords } from './edit-records.ts'
import { type CreatableKind, recordName } from './kinds.ts'
import { type SendEach, useRecordEdits } from './use-record-edits.ts'

/** Calls that are sent at once. */
const CONCURRENCY = 4
/** Names that a message lists. */
const MAX_NAMES = 3

export type RecordsRun = ReturnType<typeof useRecordsRun>

/** Makes a change of one record or many. Names the records for which it was refused. */
export function useRecordsRun(kind: CreatableKind, selection?: SelectedRecords) {
  const { texts } = useConsole()
  const change = useChange()
  const [progress, setProgress] = useState<string>()

  const sendEach: SendEach = async (ids, call, send) => {
    const sendInTurn = (id: string) => call(id, () => send(id))
    const errors = await runInParallel(ids, CONCURRENCY, sendInTurn, (done) =>
      setProgress(done === ids.length ? undefined : texts.tables.progress(done, ids.length)),
    )
    if (errors.size > 0) throw ids.length === 1 ? errors.values().next().value : new PartialFailure(errors)
  }
  function explainFailure(records: readonly ActionRecord[], error: PartialFailure): void {
    const names = records
      .filter(({ id }) => error.errors.has(id))
      .slice(0, MAX_NAMES)
      .map((record) => `“${recordName(record)}”`)
    showError(texts.tables.failed(error.errors.size, names.join(', '), explainError(error, texts)))
  }
  return {
    /** How many records of the running change are done. */
    progress,
    sendEach,
    run(records: readonly ActionRecord[], { after, ...made }: Change): void {
      change({
        ...made,
        onError: (error) => {
          if (error instanceof PartialFailure) explainFailure(records, error)
          else showError([texts.errors.notSaved(explainError(error, texts)), after].filter(Boolean).join(' '))
        },
      })
    },
    editEach: useRecordEdits(kind, sendEach, selection),
    /** Selects records no longer. */
    drop: (ids: readonly string[]) => selection?.drop(ids),
  }
}
