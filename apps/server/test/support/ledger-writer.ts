import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

export interface LedgerOptions {
  readonly address: string
  readonly token: string
  readonly seconds: number
}

const WRITERS = 8
/** Between writes. Bounds the number of events to what can be delivered in the test's time. */
const PAUSE_MS = 10
/** Before a write without a response is retried. */
const RETRY_MS = 100

/**
 * Creates people, renames them, and deletes every other one. For each acknowledged write it prints the
 * expected event and the person's id.
 */
const { address, token, seconds } = JSON.parse(process.argv[2]!) as LedgerOptions
const end = performance.now() + seconds * 1000

async function write(): Promise<void> {
  for (let count = 0; performance.now() < end; count += 1) {
    const created = await sendUntilAcknowledged('POST', '/v1/people', { full_name: 'Ana' }, 201)
    const { id } = ((await created.json()) as { data: { id: string } }).data
    console.log(`person.created ${id}`)
    await sendUntilAcknowledged('PATCH', `/v1/people/${id}`, { full_name: 'Bia' }, 200)
    console.log(`person.updated ${id}`)
    if (count % 2 === 0) continue
    // 404 when the response to an earlier attempt was lost.
    await sendUntilAcknowledged('DELETE', `/v1/people/${id}`, undefined, 204, 404)
    console.log(`person.deleted ${id}`)
  }
}

/**
 * Sends until the response has one of the expected statuses. The idempotency key is the same for each
 * attempt.
 */
async function sendUntilAcknowledged(
  method: string,
  path: string,
  body: object | undefined,
  ...expectedStatuses: readonly number[]
): Promise<Response> {
  const key = randomUUID()
  for (;;) {
    await setTimeout(PAUSE_MS)
    const response = await trySend(method, path, body, key)
    if (response !== undefined && expectedStatuses.includes(response.status)) return response
    if (response !== undefined && response.status < 500)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    await setTimeout(RETRY_MS)
  }
}

/** Returns undefined when the outcome is unknown. */
async function trySend(
  method: string,
  path: string,
  body: object | undefined,
  key: string,
): Promise<Response | undefined> {
  try {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const bytes = await response.arrayBuffer()
    return new Response(response.status === 204 ? null : bytes, { status: response.status })
  } catch {
    return undefined
  }
}

await Promise.all(Array.from({ length: WRITERS }, write))
