import { CrmError, type ErrorCode } from '@sales-crm/core'

export const STATUS = {
  bad_request: 400,
  conflict: 409,
  forbidden: 403,
  idempotency_conflict: 422,
  insufficient_scope: 403,
  internal_error: 500,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_request: 400,
  not_found: 404,
  rate_limit_exceeded: 429,
  token_expired: 401,
  unauthorized: 401,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  validation_error: 422,
} as const satisfies Record<ErrorCode, number>

export function unexpected(): CrmError {
  return new CrmError('internal_error', 'An unexpected error occurred.')
}

/** The contract's error object. */
export function errorBody({ code, message, fields }: CrmError, requestId: string): object {
  return { error: { code, message, request_id: requestId, fields } }
}

/** Text of others as a log may hold it: what has the form of one of our secrets is left out. */
export function redacted<T extends string | undefined>(text: T): T {
  return text?.replaceAll(/eyJ[\w.-]+|crm_[a-z]{2,3}_\w+|whsec_\w+/g, '…') as T
}

/** What an operator may read of a failure: drivers hang statements and values on their errors. */
export function failureOf(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  const { name, message, stack } = thrown
  return { name, message: redacted(message), code: 'code' in thrown ? String(thrown.code) : undefined, stack: redacted(stack) }
}
