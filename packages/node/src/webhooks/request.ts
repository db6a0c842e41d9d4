import type { AttemptError } from '@sales-crm/core'
import type { Dispatcher } from 'undici'
import { AddressNotAllowed, NameNotFound } from '../outbound-http/restricted-connector.ts'
import type { Connection } from './receiver-connections.ts'

export interface RequestOptions {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

interface ReceivedResponse {
  readonly status: number
  /** When the status came, as `performance.now()` tells it. */
  readonly receivedAt: number
  /** How the body begins, as text; null when it is packed. */
  readonly response: string | null
}

interface RequestFailure {
  readonly failure: AttemptError
  /** It was a connection used before, on which not one byte of an answer came. */
  readonly wasStale: boolean
}

export type RequestResult = ReceivedResponse | RequestFailure

/** So much of an answer's body is read, for so long at most; then the connection is cut. The status alone decides. */
const MAX_BODY_BYTES = 1024
const BODY_TIMEOUT_MS = 1000
/** What may come before an answer, such as `103 Early Hints`. With more the connection is ended. */
const MAX_INFORMATIONAL = 16

/**
 * Sends one request and reads the answer to it. The connection is kept after a whole answer, else ended. There is no deadline for the
 * status: whoever ends the connection ends this. Never rejects.
 */
export function sendRequest(
  connection: Connection,
  { path, headers, body }: RequestOptions,
): Promise<RequestResult> {
  const { promise, resolve } = Promise.withResolvers<RequestResult>()
  connection.client.dispatch({ method: 'POST', path, headers, body }, createHandler(connection, resolve))
  return promise
}

function createHandler(
  connection: Connection,
  resolve: (result: RequestResult) => void,
): Dispatcher.DispatchHandler {
  const body = new Uint8Array(MAX_BODY_BYTES)
  let length = 0
  let head: { readonly status: number; readonly receivedAt: number; readonly isPlain: boolean } | undefined
  let timer: NodeJS.Timeout | undefined
  let connectionState: 'nothing' | 'fresh' | 'used' = 'nothing'
  let hasResponseStarted = false
  let informational = 0

  function buildResponse(
    { status, receivedAt, isPlain }: NonNullable<typeof head>,
    isComplete: boolean,
  ): ReceivedResponse {
    clearTimeout(timer)
    return { status, receivedAt, response: isPlain ? decodeText(body.subarray(0, length), isComplete) : null }
  }

  return {
    onRequestStart() {
      connectionState = connection.isFresh() ? 'fresh' : 'used'
    },
    onResponseStarted() {
      hasResponseStarted = true
    },
    onResponseStart(_controller, status, { 'content-encoding': encoding = 'identity' }) {
      if (status < 200) {
        informational += 1
        if (informational > MAX_INFORMATIONAL) connection.destroy()
        return
      }
      head = { status, receivedAt: performance.now(), isPlain: encoding === 'identity' }
      timer = setTimeout(() => connection.destroy(), BODY_TIMEOUT_MS)
    },
    onResponseData(_controller, chunk) {
      const part = chunk.subarray(0, MAX_BODY_BYTES - length)
      body.set(part, length)
      length += part.length
      if (part.length < chunk.length) connection.destroy()
    },
    onResponseEnd() {
      connection.release()
      if (head) resolve(buildResponse(head, true))
    },
    onResponseError(_controller, error) {
      connection.destroy()
      if (head) return resolve(buildResponse(head, false))
      const failure = connectionState === 'nothing' ? classifyConnectError(error) : 'connection_closed'
      resolve({ failure, wasStale: connectionState === 'used' && !hasResponseStarted })
    },
  }
}

/** What the check of a certificate finds. What the other side says about ours begins with `ERR_SSL`. */
const CERTIFICATE_ERROR =
  /^(?!ERR_SSL).*(?:CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|UNSPECIFIED)/

function classifyConnectError(error: Error & { readonly code?: unknown }): AttemptError {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed'
  if (error instanceof NameNotFound) return 'name_not_resolved'
  return typeof error.code === 'string' && CERTIFICATE_ERROR.test(error.code)
    ? 'certificate_not_trusted'
    : 'connection_failed'
}

/** A character that was cut through is left out. */
function decodeText(bytes: Uint8Array, isComplete: boolean): string {
  return new TextDecoder().decode(bytes, { stream: !isComplete })
}
