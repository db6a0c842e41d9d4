import { CrmApiError, CrmConnectionError } from './errors.ts'

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000
/** A longer `Retry-After` is left to the caller. */
const MAX_RETRY_AFTER_SECONDS = 300
/** The service did not execute the call. */
const REJECTED_STATUSES = [429, 503]
/** Whether the call was executed is unknown. */
const UNCERTAIN_STATUSES = [500, 502, 504]

/** True if a call that failed with this error may be sent again. */
export function isRetryable(error: unknown, call: { readonly isRepeatable: boolean }): boolean {
  if (hasUnknownOutcome(error)) return call.isRepeatable
  return (
    error instanceof CrmApiError &&
    REJECTED_STATUSES.includes(error.status) &&
    (error.retryAfterSeconds ?? 0) <= MAX_RETRY_AFTER_SECONDS
  )
}

/** True if the service may have executed the call although it failed. */
export function hasUnknownOutcome(error: unknown): boolean {
  return (
    error instanceof CrmConnectionError ||
    (error instanceof CrmApiError && UNCERTAIN_STATUSES.includes(error.status))
  )
}

/**
 * Exponential backoff with full jitter, after what `Retry-After` demands.
 * @param retries the number of retries before this one
 * @param random a number from 0 to 1
 */
export function retryDelayMs(error: unknown, retries: number, random: number): number {
  const requestedMs = error instanceof CrmApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  return requestedMs + random * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries)
}

/** True for the 404 of a repeated DELETE whose earlier attempt may have deleted the record. */
export function isAlreadyDeleted(error: unknown, call: { readonly method: string }): boolean {
  return call.method === 'DELETE' && error instanceof CrmApiError && error.code === 'not_found'
}
