import type { QueryClient } from '@tanstack/react-query'

/** While other changes are sent, the queries are read again this seldom. */
const INTERVAL_MS = 500

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Reads the queries again after a change was answered: at once, or soon if others are being sent. What is read at present
 * may be from before the change, and is dropped.
 */
export function refreshQueries(client: QueryClient): void {
  void client.cancelQueries({ predicate: ({ state }) => state.data !== undefined })
  const refresh = () => {
    clearTimeout(timer)
    timer = undefined
    void client.invalidateQueries()
  }
  // The answered change counts until this returns.
  if (client.isMutating() <= 1) refresh()
  else timer ??= setTimeout(refresh, INTERVAL_MS)
}
