import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import type { AcknowledgedWrites, Writers } from './writers.ts'

/** So that a promise that is not kept ends as a failure; nothing is measured by it. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 20
/** Twice as many as there are writers: none has its last good answer still under way. */
const SETTLED = 32
const IN_A_ROW = 20
const ASKED = { brief: 5, thorough: 30 }

export interface Outage {
  readonly service: Server
  readonly writers: Writers
  readonly effort: keyof typeof ASKED
  /** Whether what was written is read all the while. */
  readonly reads: boolean
  readonly harm: () => unknown
  readonly mend: () => unknown
}

/**
 * Takes from a service under load what its writes need, holds it to what it owes its callers meanwhile, gives
 * it back, and waits until it works again by itself.
 * @returns titles that were refused @throws Error that names what it did instead
 */
export async function runOutage(
  place: FaultEnvironment,
  { service, writers, effort, reads, harm, mend }: Outage,
): Promise<readonly string[]> {
  const ask = createRequest(service, place.token)
  const [known] = writers.written.tasks.keys()
  const refusals = () => writers.written.refused.get(500) ?? 0
  await harm()
  const before = refusals()
  await waitUntil('writes are refused', () => refusals() - before >= SETTLED)
  await expectNotReady(ask)
  let acknowledged = false
  void writers.acknowledged(1).then(() => {
    acknowledged = true
  })
  const titles: string[] = []
  for (let round = 0; round < ASKED[effort]; round += 1) {
    const title = `Refused ${randomUUID()}`
    titles.push(title)
    expectStatus(await ask('POST', '/v1/tasks', { title }), 500)
    expectStatus(await ask('GET', '/readyz'), 503)
    expectStatus(await ask('GET', '/healthz'), 200)
    for (const path of [`/v1/tasks/${known}`, '/v1/tasks?per_page=5'])
      expectStatus(await ask('GET', path), reads ? 200 : 500)
  }
  if (acknowledged) throw new Error('A write was acknowledged that cannot have been kept.')
  await mend()
  await waitForRecovery(ask, writers)
  expectCleanFailures(writers.written)
  return titles
}

/** Waits until it was said so often in a row that it is no chance. */
async function expectNotReady(ask: Request): Promise<void> {
  let said = 0
  await waitUntil('the service says that it is not ready', async () => {
    said = (await ask('GET', '/readyz')).status === 503 ? said + 1 : 0
    return said >= IN_A_ROW
  })
}

/**
 * Nobody was left without an answer, or got another than the one for what cannot be helped now.
 * @throws Error that counts the others
 */
export function expectCleanFailures(
  { refused }: Pick<AcknowledgedWrites, 'refused'>,
  failures: readonly number[] = [500],
): void {
  const others = [...refused]
    .filter(([status]) => !failures.includes(status))
    .map(([status, count]) => `${count} with ${status || 'nothing'}`)
  if (others.length > 0) throw new Error(`Calls were answered ${others.join(', ')}.`)
}

/** Waits until the service writes again and says so. */
export async function waitForRecovery(ask: Request, writers: Writers): Promise<void> {
  await waitForProgress(writers, SETTLED)
  await waitUntil(
    'the service says that it is ready',
    async () => (await ask('GET', '/readyz')).status === 200,
  )
}

/**
 * Waits for so many writes.
 * @throws Error when there are none for half a minute, where the writers by themselves would wait for ever
 */
export async function waitForProgress(writers: Pick<Writers, 'acknowledged'>, writes: number): Promise<void> {
  for (let left = writes; left > 0; left -= SETTLED) {
    let done = false
    void writers.acknowledged(Math.min(left, SETTLED)).then(() => {
      done = true
    })
    await waitUntil('writes are acknowledged', () => done)
  }
}

/** @throws Error when one of the titles is there */
export async function expectAbsent(place: FaultEnvironment, titles: readonly string[]): Promise<void> {
  const kept = await place.look(({ storage }) =>
    storage.read((tx) => tx.workspace(place.workspaceId).tasks.find([])),
  )
  const found = kept.find(({ title }) => titles.includes(title))
  if (found) throw new Error(`"${found.title}" was refused and is there.`)
}

export interface Answer {
  readonly asked: string
  readonly status: number
  readonly requestId: string | null
  readonly body: unknown
}

export type Request = (method: string, path: string, body?: object) => Promise<Answer>

export function createRequest({ port }: Pick<Server, 'port'>, token: string): Request {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    const requestId = response.headers.get('X-Request-ID')
    return {
      asked: `${method} ${path}`,
      status: response.status,
      requestId,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
}

/**
 * @throws Error unless the answer has that status and, where it is a failure, the contract's words and no
 * others
 */
export function expectStatus({ asked, status, requestId, body }: Answer, wanted: number): void {
  const failed = {
    error: { code: 'internal_error', message: 'An unexpected error occurred.', request_id: requestId },
  }
  if (status === wanted && (status < 500 || isDeepStrictEqual(body, failed))) return
  throw new Error(
    `${asked} was answered ${status} and not ${wanted}, or in other words than it should: ${JSON.stringify(body).slice(0, 300)}`,
  )
}

/** @throws Error when it has not come true in half a minute */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It was waited in vain until ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
