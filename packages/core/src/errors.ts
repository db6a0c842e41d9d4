/** The codes of the contract's error table for `/v1`. */
export type ErrorCode =
  | 'bad_request'
  | 'conflict'
  | 'forbidden'
  | 'idempotency_conflict'
  | 'insufficient_scope'
  | 'internal_error'
  | 'not_found'
  | 'rate_limit_exceeded'
  | 'token_expired'
  | 'unauthorized'
  | 'validation_error'

/** Path of a field (`emails[1].email`) to the rule it breaks. */
export type FieldErrors = Readonly<Record<string, string>>

/** A refusal the caller can act on. Anything else that is thrown is a bug or a broken part. */
export class CrmError extends Error {
  override readonly name = 'CrmError'
  readonly code: ErrorCode
  readonly fields: FieldErrors | undefined

  constructor(code: ErrorCode, message: string, fields?: FieldErrors) {
    super(message)
    this.code = code
    this.fields = fields
  }
}

export function notFound(entity: string): CrmError {
  return new CrmError('not_found', `${entity} not found.`)
}

export function invalid(fields: FieldErrors): CrmError {
  return new CrmError('validation_error', 'Validation failed.', fields)
}

export function badRequest(message: string, fields?: FieldErrors): CrmError {
  return new CrmError('bad_request', message, fields)
}

/** `reason` says what is in the way where the contract's general message would mislead. */
export function conflict(field: string, reason = 'A record with this value already exists.'): CrmError {
  return new CrmError('conflict', 'A record with this value already exists.', { [field]: reason })
}

export function insufficientScope(scope: string): CrmError {
  return new CrmError('insufficient_scope', `This endpoint requires the '${scope}' scope.`)
}

/** `entity` in lower-case words: `task type`. */
export function forbidden(operation: 'create' | 'update' | 'delete', entity: string): CrmError {
  return new CrmError('forbidden', `You do not have permission to ${operation} this ${entity}.`)
}
