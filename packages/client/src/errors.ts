import type { ErrorResponse } from './api-types.ts'

/** The codes of the service's errors. A later version of the service may add codes. */
export type ErrorCode = ErrorResponse['error']['code']

/** Tells refusals with one code apart. A later version of the service may add reasons. */
export type ErrorReason = NonNullable<ErrorResponse['error']['reason']>

/** The parts of a `CrmApiError`. */
export interface ApiErrorDetails {
  /** HTTP status; 0 for a redirect in a browser. */
  readonly status: number
  /** Undefined if the response is not one of the service. */
  readonly code?: ErrorCode | undefined
  /** Default: none. */
  readonly reason?: ErrorReason | undefined
  /** The rule that each invalid field breaks, by path. Default: none. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** Default: none. */
  readonly existingIds?: readonly string[] | undefined
  /** The id of the request in the service's logs. */
  readonly requestId?: string | undefined
  /** Seconds to wait, from the header `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined
}

/**
 * A response that is not a success. Responses that are not the service's own, such as the page of a proxy or
 * a redirect, have no `code`; their `message` has the status and the start of the text.
 */
export class CrmApiError extends Error {
  override readonly name = 'CrmApiError'
  /** HTTP status. 0 for a redirect in a browser, which hides the status. */
  readonly status: number
  /** Machine-readable code; undefined if the response is not one of the service. */
  readonly code: ErrorCode | undefined
  /** Machine-readable, where `code` alone does not tell: `workspace_full`. */
  readonly reason: ErrorReason | undefined
  /** The rule that each invalid field breaks, by path such as `emails[1].email`. Empty if there are none. */
  readonly fields: Readonly<Record<string, string>>
  /** For a taken value: the ids of the records that hold it, at most ten. Empty if the service names none. */
  readonly existingIds: readonly string[]
  /** The id of the request in the service's logs. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next attempt, from the header `Retry-After`. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, details: ApiErrorDetails) {
    super(message)
    this.status = details.status
    this.code = details.code
    this.reason = details.reason
    this.fields = details.fields ?? {}
    this.existingIds = details.existingIds ?? []
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/**
 * No complete response: the connection failed, was lost or took longer than `timeoutMs`. The service may have
 * executed the call. `cause` is the error of `fetch`, or a `TimeoutError`.
 */
export class CrmConnectionError extends Error {
  override readonly name = 'CrmConnectionError'
}
