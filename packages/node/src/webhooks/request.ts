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
  /** When the status was received, from `performance.now()`. */
  readonly receivedAt: number
  /** The first 1 KiB of the body as text; null when it has a content encoding. */
  readonly response: string | null
}

interface RequestFailure {
  readonly failure: AttemptError
  /** A reused connection closed before the first byte of a response. */
  readonly wasStale: boolean
}

export type RequestResult = ReceivedResponse | RequestFailure

/**
 * Limits for reading the body; beyond them the connection is destroyed. Only the status decides the outcome.
 */
const MAX_BODY_BYTES = 1024
const BODY_TIMEOUT_MS = 1000
/** Maximum informational responses, such as `103 Early Hints`. Beyond it, the connection is destroyed. */
const MAX_INFORMATIONAL = 16

/**
 * Sends one request and reads its response. After a complete response the connection is released, otherwise
 * destroyed. The status has no timeout: the caller destroys the connection to abort. Never rejects.
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
  let connectionState: 'none' | 'fresh' | 'used' = 'none'
  let hasResponseStarted = false
  let informationalCount = 0

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
        informationalCount += 1
        if (informationalCount > MAX_INFORMATIONAL) connection.destroy()
        return
      }
      head = { status, receivedAt: performance.now(), isPlain: encoding === 'identity' }
      timer = setTimeout(() => connection.destroy(), BODY_TIMEOUT_MS)
    },
    onResponseData(_controller, chunk) {
      const prefix = chunk.subarray(0, MAX_BODY_BYTES - length)
      body.set(prefix, length)
      length += prefix.length
      if (prefix.length < chunk.length) connection.destroy()
    },
    onResponseEnd() {
      connection.release()
      if (head) resolve(buildResponse(head, true))
    },
    onResponseError(_controller, error) {
      connection.destroy()
      if (head) return resolve(buildResponse(head, false))
      const failure = connectionState === 'none' ? classifyConnectError(error) : 'connection_closed'
      resolve({ failure, wasStale: connectionState === 'used' && !hasResponseStarted })
    },
  }
}

/** Error codes of certificate verification, without `ERR_SSL…`: those are about our certificate. */
const CERTIFICATE_ERROR =
  /^(?!ERR_SSL).*(?:CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|UNSPECIFIED)/

function classifyConnectError(error: Error & { readonly code?: unknown }): AttemptError {
  // One value for both: the log must not tell which names exist inside the network.
  if (error instanceof AddressNotAllowed || error instanceof NameNotFound) return 'name_not_resolved'
  return typeof error.code === 'string' && CERTIFICATE_ERROR.test(error.code)
    ? 'certificate_not_trusted'
    : 'connection_failed'
}

/** Omits an incomplete character at the end of a truncated body. */
function decodeText(bytes: Uint8Array, isComplete: boolean): string {
  return new TextDecoder().decode(bytes, { stream: !isComplete })
}
