import type { Actor, Crm } from '@sales-crm/core'
import type { RequestBody } from '../http/request-body.ts'

/** The core, and the member on whose behalf a tool uses it. */
export interface Caller {
  readonly crm: Crm
  readonly actor: Actor
  /** Reports an error that is not the caller's fault. */
  reportError(thrown: unknown): void
}

/** An authenticated HTTP call of the endpoint. */
export interface ToolsCall {
  readonly request: Request
  readonly body: RequestBody
  readonly actor: Actor
  readonly requestId: string
  /** Counts this many more calls. @throws CrmError `rate_limit_exceeded` */
  countAdditionalCalls(calls: number): Promise<void>
  /** Adds the names of the called tools, separated by spaces, to the log entry of the call. */
  noteTool(tool: string): void
}
