import type { RateLimitStatus } from './rate-limit.ts'

/** The codes of the contract's error tables, and `precondition_failed`. */
export const ERROR_CODES = [
  'bad_request',
  'conflict',
  'forbidden',
  'idempotency_conflict',
  'insufficient_scope',
  'internal_error',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'not_found',
  'precondition_failed',
  'rate_limit_exceeded',
  'token_expired',
  'unauthorized',
  'unsupported_grant_type',
  'unsupported_response_type',
  'validation_error',
] as const

/** Decides the HTTP status of a response. */
export type ErrorCode = (typeof ERROR_CODES)[number]

/** Maps the path of a field (`emails[1].email`) to the rule it breaks. */
export type FieldErrors = Readonly<Record<string, string>>

/** Error codes of RFC 6749, 7591 and 8707 that are not codes of the contract. */
export type RfcCode = 'invalid_client_metadata' | 'invalid_redirect_uri' | 'invalid_scope' | 'invalid_target'

/** Refusals that programs tell apart although they have one code. */
export const ERROR_REASONS = ['workspace_full'] as const
export type ErrorReason = (typeof ERROR_REASONS)[number]

interface ErrorDetails {
  readonly reason?: ErrorReason
  readonly existingIds?: readonly string[]
  readonly entity?: string
  readonly scope?: string
  readonly rfcCode?: RfcCode | undefined
  readonly cause?: unknown
  readonly logMessage?: string | undefined
  readonly rateLimit?: RateLimitStatus
}

/** The contract's error object. */
export interface ErrorResponse {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly request_id: string
    readonly fields?: FieldErrors
    readonly reason?: ErrorReason
    readonly existing_ids?: readonly string[]
  }
}

/** Shared by all copies of this package in a process. */
const CRM_ERROR = Symbol.for('@sales-crm/core.CrmError')

/**
 * A refusal that is reported to the caller. Any other error is a bug or a failure of the environment. An error
 * of another copy of this package is an instance too: a host and its plugins may each have loaded one.
 */
export class CrmError extends Error {
  /** Recognizes the errors of every copy of this package. */
  static override readonly [Symbol.hasInstance] = isInstance

  /** Marks the errors of every copy of this package. */
  get [CRM_ERROR](): true {
    return true
  }

  override readonly name = 'CrmError'
  readonly code: ErrorCode
  /** The rule that each invalid field breaks, by path; undefined if the error is about no field. */
  readonly fields: FieldErrors | undefined
  /** Why, where the code alone does not tell. */
  readonly reason: ErrorReason | undefined
  /** The ids of the records that hold the value, at most ten of them, for `conflict`; undefined if they are unknown. */
  readonly existingIds: readonly string[] | undefined
  /** The label of what was not found, such as `Task type`, for `not_found`. */
  readonly entity: string | undefined
  /** The missing scope, for `insufficient_scope`. */
  readonly scope: string | undefined
  /** The code in errors of RFC 6749's form, if it differs from `code`. */
  readonly rfcCode: RfcCode | undefined
  /** Detail for the operator's log that the caller does not get. */
  readonly logMessage: string | undefined
  /** The exceeded limit, for `rate_limit_exceeded`. */
  readonly rateLimit: RateLimitStatus | undefined

  constructor(code: ErrorCode, message: string, fields?: FieldErrors, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.fields = fields
    this.reason = details.reason
    this.existingIds = details.existingIds
    this.entity = details.entity
    this.scope = details.scope
    this.rfcCode = details.rfcCode
    this.logMessage = details.logMessage
    this.rateLimit = details.rateLimit
  }
}

/** Subclasses inherit it, and are told apart as usual. */
function isInstance(this: unknown, value: unknown): boolean {
  if (this !== CrmError) return Function.prototype[Symbol.hasInstance].call(this, value)
  return typeof value === 'object' && value !== null && CRM_ERROR in value
}

/**
 * Returns a `not_found` error: the record does not exist, was deleted or belongs to another workspace.
 * @param entity capitalized: `Task type`
 */
export function notFound(entity: string): CrmError {
  return new CrmError('not_found', notFoundRule(entity), undefined, { entity })
}

/** The rule for a field that names a record which does not exist. */
export function notFoundRule(label: string): string {
  return `${label} not found.`
}

export function isNotFoundRule(rule: string): boolean {
  return rule.includes(' not found')
}

export function isNotFound(error: unknown): error is CrmError {
  return error instanceof CrmError && error.code === 'not_found'
}

/** For a record that was changed since the caller read it. */
export function preconditionFailed(): CrmError {
  return new CrmError('precondition_failed', 'The record has changed since it was read.')
}

/** Returns a `validation_error` for input that breaks rules, all of them at once. */
export function validationError(fields: FieldErrors): CrmError {
  return new CrmError('validation_error', 'Validation failed.', fields)
}

/** Returns a `bad_request` error, for a malformed request or an update without fields. */
export function badRequest(message: string, fields?: FieldErrors): CrmError {
  return new CrmError('bad_request', message, fields)
}

/**
 * Returns a `conflict` error: the value of the field is taken, or other records still depend on it.
 * @param reason the rule for the field, if the contract's general message would mislead
 */
export function conflict(
  field: string,
  reason = 'A record with this value already exists.',
  details: Pick<ErrorDetails, 'existingIds'> = {},
): CrmError {
  return new CrmError('conflict', 'A record with this value already exists.', { [field]: reason }, details)
}

/** Returns a `conflict` error for a call that does not fit the state of its record. No value is taken. */
export function stateConflict(field: string, reason: string): CrmError {
  return new CrmError('conflict', 'The present state does not allow this call.', { [field]: reason })
}

/** True for a `conflict` error. */
export function isConflict(error: unknown): error is CrmError {
  return error instanceof CrmError && error.code === 'conflict'
}

/** Returns an `insufficient_scope` error that names the missing scope. */
export function insufficientScope(scope: string): CrmError {
  return new CrmError('insufficient_scope', `This endpoint requires the '${scope}' scope.`, undefined, {
    scope,
  })
}

/**
 * Returns an `invalid_request` error, for the OAuth endpoints and the registration of apps.
 * @param rfcCode the code in errors of RFC 6749's form, if it differs
 */
export function invalidRequest(message: string, fields?: FieldErrors, rfcCode?: RfcCode): CrmError {
  return new CrmError('invalid_request', message, fields, { rfcCode })
}

/** The same error for an unknown app, an inactive app and a wrong secret. */
export function invalidClient(): CrmError {
  return new CrmError(
    'invalid_client',
    'The client does not exist, is not active, or its credentials are wrong.',
  )
}

/**
 * Returns an `invalid_grant` error, for an invalid, expired or used code or refresh token.
 * @param logMessage detail for the operator's log that the caller does not get
 */
export function invalidGrant(message: string, logMessage?: string): CrmError {
  return new CrmError('invalid_grant', message, undefined, logMessage === undefined ? {} : { logMessage })
}

/**
 * Returns a `forbidden` error: the scope suffices, and the role does not.
 * @param entity in lower case: `task type`
 */
export function forbidden(
  operation: 'create' | 'read' | 'update' | 'delete',
  entity: string,
  fields?: FieldErrors,
): CrmError {
  return new CrmError('forbidden', `You do not have permission to ${operation} this ${entity}.`, fields)
}

/** The record's own fields are saved; its associations are not. */
export function associationsFailed(label: string, cause: unknown): CrmError {
  return new CrmError(
    'internal_error',
    `${label} updated but associations failed. Retry the associations.`,
    undefined,
    { cause },
  )
}

/** Returns an `idempotency_conflict` error: the key was used with another body. */
export function idempotencyConflict(): CrmError {
  const rule = 'Was used with a different body. Send a new key with a new request.'
  return new CrmError('idempotency_conflict', 'The Idempotency-Key was used with a different body.', {
    'Idempotency-Key': rule,
  })
}
