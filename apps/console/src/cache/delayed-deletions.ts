import type { QueryClient } from '@tanstack/react-query'
import { removeRecords } from './map-records.ts'
import { pendingPatches } from './pending-patches.ts'
import { refreshQueries } from './query-client.ts'

/** As long as its toast offers to take it back. */
const DELAY_MS = 6000

interface DeletionOptions {
  readonly id: string
  /** @param isLast true while the page closes: the call must outlive it */
  readonly send: (isLast: boolean) => Promise<void>
  readonly onSent: () => void
  readonly onError: (error: unknown) => void
}

/** The deletions that wait, by what sends them. */
const waiting = new Set<(isLast: boolean) => void>()

addEventListener('pagehide', () => {
  for (const send of waiting) send(true)
})

/**
 * Hides a record at once, and deletes it after six seconds, or when the page closes.
 * @returns takes the deletion back, if it was not sent yet
 */
export function deleteLater(client: QueryClient, { id, send, onSent, onError }: DeletionOptions): () => void {
  const patch = pendingPatches(client).show((data) => removeRecords(data, id))
  const timer = setTimeout(() => finish(false), DELAY_MS)
  waiting.add(finish)

  function finish(isLast: boolean): void {
    clearTimeout(timer)
    waiting.delete(finish)
    onSent()
    send(isLast).then(
      () => patch.confirm(),
      (error) => {
        patch.drop()
        onError(error)
      },
    )
  }

  return () => {
    if (!waiting.delete(finish)) return
    clearTimeout(timer)
    patch.drop()
    refreshQueries(client)
  }
}
