import { CrmApiError, CrmConnectionError } from '@sales-crm/client'
import { QueryClient } from '@tanstack/react-query'

const FRESH_MS = 20_000

/** The client retries the calls, so the queries do not. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: false, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}

export function isNotFound(error: unknown): boolean {
  return error instanceof CrmApiError && (error.status === 404 || error.status === 400)
}

export function isConnectionError(error: unknown): boolean {
  return error instanceof CrmConnectionError
}

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
