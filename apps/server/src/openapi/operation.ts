import type { CrmError } from '@sales-crm/core'
import type { GenericSchema } from 'valibot'
import type { OperationTag } from './operation-tags.ts'

/**
 * Documentation of a route. Its scope, its rate limit and the errors common to all calls follow from the
 * route.
 */
export interface Operation {
  /** Operation id, which generated clients use as a method name. */
  readonly id: string
  readonly tag: OperationTag
  readonly summary: string
  readonly description: string
  /** Path parameters by name. An omitted one is the id of a record. */
  readonly params?: Readonly<Record<string, Param>>
  /** Object schema with one entry per query parameter. */
  readonly query?: GenericSchema
  readonly body?: RequestBody
  /** Description of a body that is no text, but bytes. */
  readonly bytes?: string
  readonly takesIdempotencyKey?: true
  /** Responds with an `ETag`, and with 304 to an `If-None-Match` that has it. */
  readonly hasEntityTag?: true
  /** Compares `If-Match`, and responds with 412 to another version. */
  readonly isConditional?: true
  readonly success: SuccessResponse
  /** Of a 201 with the same body, for a call that may create a record. */
  readonly createdDescription?: string
  /** Responds with 503 while the service takes no traffic. */
  readonly mayBeUnready?: true
  /** Responds without the database, so it never fails with 500. */
  readonly isFixed?: true
  /** Responds to browsers with HTML error pages. */
  readonly refusesWithPages?: true
  /** Errors besides those that follow from the route. */
  readonly errors: readonly CrmError[]
}

export interface Param {
  readonly description: string
  /** The parameter is a UUID. */
  readonly isId: boolean
  readonly example: string
}

/** A schema with its name in the document. */
export interface NamedSchema {
  readonly name: string
  readonly schema: GenericSchema
}

export interface RequestBody extends NamedSchema {
  readonly type?: 'application/json' | 'application/x-www-form-urlencoded'
  /** The body may be omitted. */
  readonly optional?: true
  /** The body must contain at least one field. */
  readonly changes?: true
}

export interface SuccessResponse {
  readonly status: 200 | 201 | 204 | 303
  readonly description: string
  /** Body of the response; omitted if there are only headers. */
  readonly response?: NamedSchema
  /** Media types, if not JSON. */
  readonly types?: readonly string[]
  /** Headers besides those of every response, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>
}
