import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

export interface LedgerOptions {
  readonly address: string
  readonly token: string
  readonly seconds: number
}

const WRITERS = 8
/** Between writes, so that there are as many as can be told in the time. */
const PAUSE_MS = 10
/** Before a write that was not answered is sent again. */
const AGAIN_MS = 100

/** Makes people, renames them, and deletes every other one. Prints what was acknowledged, each as the event it must cause and the person's id. */
const { address, token, seconds } = JSON.parse(process.argv[2]!) as LedgerOptions
const end = performance.now() + seconds * 1000

async function write(): Promise<void> {
  for (let count = 0; performance.now() < end; count += 1) {
    const made = await sendUntilAcknowledged('POST', '/v1/people', { full_name: 'Ana' }, 201)
    const { id } = ((await made.json()) as { data: { id: string } }).data
    console.log(`person.created ${id}`)
    await sendUntilAcknowledged('PATCH', `/v1/people/${id}`, { full_name: 'Bia' }, 200)
    console.log(`person.updated ${id}`)
    if (count % 2 === 0) continue
    // Nothing is there when the answer to the first was lost.
    await sendUntilAcknowledged('DELETE', `/v1/people/${id}`, undefined, 204, 404)
    console.log(`person.deleted ${id}`)
  }
}

/** Sends it until it is answered with one of `wanted`: always with the same key, so that it is done once. */
async function sendUntilAcknowledged(
  method: string,
  path: string,
  body: object | undefined,
  ...wanted: readonly number[]
): Promise<Response> {
  const key = randomUUID()
  for (;;) {
    await setTimeout(PAUSE_MS)
    const answer = await trySend(method, path, body, key)
    if (answer !== undefined && wanted.includes(answer.status)) return answer
    if (answer !== undefined && answer.status < 500)
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    await setTimeout(AGAIN_MS)
  }
}

/** Undefined where it cannot be known what became of it. */
async function trySend(
  method: string,
  path: string,
  body: object | undefined,
  key: string,
): Promise<Response | undefined> {
  try {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const bytes = await answer.arrayBuffer()
    return new Response(answer.status === 204 ? null : bytes, { status: answer.status })
  } catch {
    return undefined
  }
}

await Promise.all(Array.from({ length: WRITERS }, write))
