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
