import type { CrmError } from '@sales-crm/core'
import type { GenericSchema } from 'valibot'
import type { OPERATION_TAGS } from './operation-tags.ts'

/** What the OpenAPI document says of a route. The rest follows from the route: its scope, its limit, and what any call can be refused with. */
export interface Operation {
  /** What generated clients call it by. */
  readonly id: string
  readonly tag: keyof typeof OPERATION_TAGS
  readonly summary: string
  readonly description: string
  /** Of the parameters in the path, what they are; those left out are ids. */
  readonly params?: Readonly<Record<string, Param>>
  /** An object, each entry of which is a parameter. */
  readonly query?: GenericSchema
  readonly body?: RequestBody
  readonly takesIdempotencyKey?: true
  readonly success: SuccessResponse
  /** Whether it is a 503 while the service takes no traffic. */
  readonly mayBeUnready?: true
  /** Whether its answer asks nothing of the database, so that nothing can fail. */
  readonly isFixed?: true
  /** Whether browsers are refused with a page. */
  readonly refusesWithPages?: true
  /** What it is refused with, beside what follows from the route. */
  readonly errors: readonly CrmError[]
}

export interface Param {
  readonly description: string
  /** Whether it is a UUID. */
  readonly isId: boolean
  readonly example: string
}

/** A schema and the name it has in the document. */
export interface NamedSchema {
  readonly name: string
  readonly schema: GenericSchema
}

export interface RequestBody extends NamedSchema {
  readonly type?: 'application/json' | 'application/x-www-form-urlencoded'
  /** Whether nothing at all may be sent instead. */
  readonly optional?: true
  /** Whether one field at least must be sent. */
  readonly changes?: true
}

export interface SuccessResponse {
  readonly status: 200 | 201 | 204 | 303
  readonly description: string
  /** Left out where nothing is answered but headers. */
  readonly response?: NamedSchema
  /** Instead of JSON. */
  readonly type?: string
  /** Beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>
}
