import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, runRequests } from '../connection.ts'
import type { Ask } from '../load.ts'

/** What came of far more calls than a limit lets through, spread over several processes. */
export interface Window {
  readonly title: string
  readonly limit: number
  readonly asked: number
  /** Answers with a 2xx. */
  readonly let: number
}

export interface Flood {
  readonly title: string
  readonly ports: readonly number[]
  readonly token: string
  readonly request: Ask
  readonly status: number
  readonly limit: number
}

const CONNECTIONS = 32
/** So many times the limit is asked for. */
const TIMES = 3
const WINDOW_MS = 60_000

/**
 * Asks far more often than the limit allows, of all processes at once, within one window. @throws Error for an answer that is neither
 * the one that is due nor a 429, and where it took so long that the window has closed
 */
export async function flooded({ title, ports, token, request, status, limit }: Flood): Promise<Window> {
  const asked = limit * TIMES
  const bytes = bytesOf(request, token)
  const began = performance.now()
  let [left, counted] = [asked, 0]
  const next = () => (left-- > 0 ? bytes : undefined)
  const answered = (answer: Answer) => {
    if (answer.status === status) counted += 1
    else if (answer.status !== 429)
      throw new Error(`${answer.status} instead of ${status} or 429: ${answer.body.toString('utf8', 0, 500)}`)
  }
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      runRequests({ port: ports[index % ports.length]!, next, answered }),
    ),
  )
  if (performance.now() - began >= WINDOW_MS)
    throw new Error('The window closed before all was asked: the machine is too busy for this.')
  return { title, limit, asked, let: counted }
}

/** Until the windows of all that was asked before are closed. */
export function windowsClosed(): Promise<void> {
  return pause(WINDOW_MS + 1_000)
}

function bytesOf({ method, path, body }: Ask, token: string): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
