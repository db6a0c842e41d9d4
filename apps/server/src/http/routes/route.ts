import type { Actor } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { Operation } from '../../openapi/operation.ts'
import type { HttpResponse } from '../response.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** The scope a token must hold; null where any valid token will do. */
  readonly scope: string | null
  /** One that will do instead; a refusal does not name it. */
  readonly alternativeScope?: string
  /** What the OpenAPI document says of it. */
  readonly operation: Operation
  handler(actor: Actor, request: HonoRequest): Promise<HttpResponse>
}
