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
  precondition_failed: 412,
  rate_limit_exceeded: 429,
  token_expired: 401,
  unauthorized: 401,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  validation_error: 422,
} as const satisfies Record<ErrorCode, number>

/**
 * The application that embeds the service uses it wrongly. The response says how, since whoever mounts it reads
 * that first.
 */
export class HostError extends Error {}

export function unexpectedError(): CrmError {
  return new CrmError('internal_error', 'An unexpected error occurred.')
}

/** The contract's error object. */
export function errorBody({ code, message, fields, reason }: CrmError, requestId: string): ErrorBody {
  return { error: { code, message, request_id: requestId, fields, reason } }
}

/** The error object of endpoints beside the contract, with what the contract's say in headers. */
export function detailedErrorBody(error: CrmError, requestId: string): object {
  return { error: { ...errorBody(error, requestId).error, existing_ids: error.existingIds } }
}

interface ErrorBody {
  readonly error: Readonly<Record<'code' | 'message' | 'request_id', string>> & {
    readonly fields: CrmError['fields']
    readonly reason: CrmError['reason']
  }
}
