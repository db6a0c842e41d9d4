import type { Actor } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import type { Operation } from '../../openapi/operation.ts'
import type { HttpResponse } from '../response.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** The required scope; null if any valid token is sufficient. */
  readonly scope: string | null
  /** A scope accepted in place of `scope`; errors do not name it. */
  readonly alternativeScope?: string
  /** True if the cost depends on the data: calls of one workspace then take turns. */
  readonly isQueued?: boolean
  /** What the call adds to the workspace, if its quota bounds it. */
  readonly write?: 'create' | 'update'
  /** Maximum body size in bytes, if not that of most calls. */
  readonly maxBodyBytes?: number
  /** Documentation of the operation in the OpenAPI document. */
  readonly operation: Operation
  handler(actor: Actor, request: HonoRequest): Promise<HttpResponse>
}
