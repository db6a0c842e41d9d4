import type { AttemptError } from '@sales-crm/core'
import type { Dispatcher } from 'undici'
import { RefusedAddress, UnknownName } from '../guard/guarded-connector.ts'
import type { Connection } from './connections.ts'

export interface Post {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

interface Answered {
  readonly status: number
  /** When the status came, as `performance.now()` tells it. */
  readonly at: number
  /** How the body begins, as text; null when it is packed. */
  readonly response: string | null
}

interface Unanswered {
  readonly failure: AttemptError
  /** It was a connection used before, on which not one byte of an answer came. */
  readonly wasStale: boolean
}

export type Exchanged = Answered | Unanswered

/** So much of an answer's body is read, for so long at most; then the connection is cut. The status alone decides. */
const MOST_BYTES = 1024
const BODY_MS = 1000
/** What may come before an answer, such as `103 Early Hints`. With more the connection is ended. */
const MOST_INFORMATIONAL = 16

/**
 * Sends one request and reads the answer to it. The connection is kept after a whole answer, else ended. There is no deadline for the
 * status: whoever ends the connection ends this. Never rejects.
 */
export function exchange(connection: Connection, { path, headers, body }: Post): Promise<Exchanged> {
  const { promise, resolve } = Promise.withResolvers<Exchanged>()
  connection.client.dispatch({ method: 'POST', path, headers, body }, handler(connection, resolve))
  return promise
}

function handler(connection: Connection, resolve: (exchanged: Exchanged) => void): Dispatcher.DispatchHandler {
  const start = new Uint8Array(MOST_BYTES)
  let length = 0
  let head: { readonly status: number; readonly at: number; readonly isPlain: boolean } | undefined
  let timer: NodeJS.Timeout | undefined
  let sentOn: 'nothing' | 'fresh' | 'used' = 'nothing'
  let isHeard = false
  let informational = 0

  function answered({ status, at, isPlain }: NonNullable<typeof head>, isWhole: boolean): Answered {
    clearTimeout(timer)
    return { status, at, response: isPlain ? textOf(start.subarray(0, length), isWhole) : null }
  }

  return {
    onRequestStart() {
      sentOn = connection.isFresh() ? 'fresh' : 'used'
    },
    onResponseStarted() {
      isHeard = true
    },
    onResponseStart(_controller, status, { 'content-encoding': encoding = 'identity' }) {
      if (status < 200) {
        informational += 1
        if (informational > MOST_INFORMATIONAL) connection.end()
        return
      }
      head = { status, at: performance.now(), isPlain: encoding === 'identity' }
      timer = setTimeout(() => connection.end(), BODY_MS)
    },
    onResponseData(_controller, chunk) {
      const part = chunk.subarray(0, MOST_BYTES - length)
      start.set(part, length)
      length += part.length
      if (part.length < chunk.length) connection.end()
    },
    onResponseEnd() {
      connection.keep()
      if (head) resolve(answered(head, true))
    },
    onResponseError(_controller, error) {
      connection.end()
      if (head) return resolve(answered(head, false))
      const failure = sentOn === 'nothing' ? whyNotConnected(error) : 'connection_closed'
      resolve({ failure, wasStale: sentOn === 'used' && !isHeard })
    },
  }
}

/** What the check of a certificate finds. What the other side says about ours begins with `ERR_SSL`. */
const CERTIFICATE =
  /^(?!ERR_SSL).*(?:CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|UNSPECIFIED)/

function whyNotConnected(error: Error & { readonly code?: unknown }): AttemptError {
  if (error instanceof RefusedAddress) return 'address_not_allowed'
  if (error instanceof UnknownName) return 'name_not_resolved'
  return typeof error.code === 'string' && CERTIFICATE.test(error.code) ? 'certificate_not_trusted' : 'connection_failed'
}

/** A character that was cut through is left out. */
function textOf(bytes: Uint8Array, isWhole: boolean): string {
  return new TextDecoder().decode(bytes, { stream: !isWhole })
}
