import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { removeRecords } from '../../cache/map-records.ts'
import { pendingPatches } from '../../cache/pending-patches.ts'
import { useChange } from '../../cache/use-change.ts'
import { showDone } from '../../ui/toasts.tsx'

export interface DeletionState {
  readonly isBusy: boolean
  readonly error: string | undefined
  run(): void
}

interface DeletionOptions {
  readonly id: string
  readonly send: () => Promise<void>
  readonly done: string
  readonly onDone: () => void
}

/** Deletes after a dialog has asked, which stays open until the service has answered: it may say why it refuses. */
export function useDeletion({ id, send, done, onDone }: DeletionOptions): DeletionState {
  const { texts } = useConsole()
  const change = useChange()
  const client = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string>()
  return {
    isBusy,
    error,
    run() {
      setIsBusy(true)
      change({
        send,
        onDone: () => {
          setIsBusy(false)
          showDone(done)
          pendingPatches(client)
            .show((data) => removeRecords(data, id))
            .confirm()
          onDone()
        },
        onError: (error) => {
          setIsBusy(false)
          setError(explainError(error, texts))
        },
      })
    },
  }
}
