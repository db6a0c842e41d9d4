import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpResponse, runRequests } from '../connection.ts'
import type { RequestSpec } from '../load.ts'

/** The result of sending more calls than a limit allows, to several processes, in one window. */
export interface Window {
  readonly title: string
  readonly limit: number
  readonly sent: number
  /** Number of calls with the expected status. */
  readonly accepted: number
}

export interface Flood {
  readonly title: string
  readonly ports: readonly number[]
  readonly token: string
  readonly request: RequestSpec
  readonly status: number
  readonly limit: number
}

const CONNECTIONS = 32
/** Calls sent, as a multiple of the limit. */
const LIMIT_MULTIPLE = 3
const WINDOW_MS = 60_000

/**
 * Sends three times the limit's calls to all processes within one window.
 * @throws Error for a response that is neither the expected one nor a 429, and if the window ends during the
 * calls
 */
export async function exceedLimit({ title, ports, token, request, status, limit }: Flood): Promise<Window> {
  const callCount = limit * LIMIT_MULTIPLE
  const encoded = encodeRequest(request, token)
  const startedAt = performance.now()
  let [remaining, acceptedCount] = [callCount, 0]
  const next = () => (remaining-- > 0 ? encoded : undefined)
  const onResponse = (response: HttpResponse) => {
    if (response.status === status) acceptedCount += 1
    else if (response.status !== 429)
      throw new Error(
        `${response.status} instead of ${status} or 429: ${response.body.toString('utf8', 0, 500)}`,
      )
  }
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      runRequests({ port: ports[index % ports.length]!, next, onResponse }),
    ),
  )
  if (performance.now() - startedAt >= WINDOW_MS)
    throw new Error('The window ended before all calls were answered: the machine is too busy.')
  return { title, limit, sent: callCount, accepted: acceptedCount }
}

/** Waits until every current window has ended. */
export function waitForNewWindow(): Promise<void> {
  return sleep(WINDOW_MS + 1_000)
}

function encodeRequest({ method, path, body }: RequestSpec, token: string): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
