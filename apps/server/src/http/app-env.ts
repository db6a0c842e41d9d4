import type { Socket } from 'node:net'
import type { Actor, RateLimitStatus } from '@sales-crm/core'
import type { MiddlewareHandler } from 'hono'
import type { RequestIdVariables } from 'hono/request-id'
import type { RequestBody } from './request-body.ts'

/** What the service uses of Node's `IncomingMessage`. */
export interface Incoming {
  readonly socket: Partial<Pick<Socket, 'remoteAddress' | 'destroyed' | 'destroy'>>
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders?: readonly string[]
  /** True if bytes of the body were read. */
  readonly readableDidRead?: boolean
  /** The path that Express has removed from the URL. */
  readonly baseUrl?: unknown
  /** The bytes of the body, if the host has read them. */
  readonly rawBody?: unknown
}

/** The socket server's data about a request, which is absent without one. */
export interface Bindings {
  readonly incoming?: Incoming
  /** True while the service stops: `/readyz` answers 503. */
  readonly isDraining?: boolean
  /** Sends `100 Continue` to a client that waits for it. */
  readonly continueRequest?: () => void
  /** Sets the caller to whom the response's unread bytes are charged: a workspace, or an address. */
  readonly setOwner?: (caller: string) => void
  /** Lets the connection be idle for as long as the work of a call takes. */
  readonly keepIdle?: <T>(work: () => Promise<T>) => Promise<T>
}

/** What middleware sets before the handlers of a route. */
interface Variables extends RequestIdVariables {
  /** Returns the client's address, as rate limits count it. */
  readonly address: () => string
  /** The body of a request other than GET. */
  readonly body: RequestBody
  /** Who calls, of a route that requires a token. */
  readonly actor: Actor
  /** The window in which the call was counted; null if no limit applies, undefined before it was counted. */
  readonly rateLimit?: RateLimitStatus | null
  /** Headers of every response of this service. */
  readonly defaultHeaders: Readonly<Record<string, string>>
  /** True if the response has all its headers. */
  readonly isComplete?: boolean
  /** Names of the called MCP tools, for the log. */
  readonly tool?: string
  /** Begins the turns of a call that has no token, in the lane of a workspace. */
  readonly takeTurnsAs?: (workspaceId: string) => void
  /** Runs a part of a call that takes its turns itself. */
  readonly runPart?: <T>(work: () => Promise<T>) => Promise<T>
  /** Ends the count of the call among those that have no turn yet. */
  readonly endCount?: () => void
  /** A note for the operator's log. */
  readonly logMessage?: string
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}

/** True for a request whose connection has ended. Nobody receives its response. */
export function hasClientGone({ env }: { readonly env?: Bindings }): boolean {
  return env?.incoming?.socket.destroyed === true
}

export type Middleware = MiddlewareHandler<AppEnv>
