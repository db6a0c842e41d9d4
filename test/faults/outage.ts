import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import type { AcknowledgedWrites, Writers } from './writers.ts'

/** Ends a wait as a failure. No measurement depends on it. */
const TIMEOUT_MS = 30_000
const PAUSE_MS = 20
/** Twice the number of writers: no writer still awaits a response sent before. */
const SETTLE_WRITES = 32
const CONSECUTIVE_503 = 20
const PROBES = { brief: 5, thorough: 30 }

export interface Outage {
  readonly service: Server
  readonly writers: Writers
  readonly effort: keyof typeof PROBES
  /** True if reads succeed during the outage. */
  readonly readsWork: boolean
  readonly inject: () => unknown
  readonly repair: () => unknown
}

/**
 * Injects an outage under load, checks the responses during it, repairs it, and waits until the service
 * recovers by itself.
 * @returns the titles of rejected tasks
 * @throws Error describing a wrong response
 */
export async function runOutage(
  environment: FaultEnvironment,
  { service, writers, effort, readsWork, inject, repair }: Outage,
): Promise<readonly string[]> {
  const callApi = createApiCaller(service, environment.token)
  const [knownTask] = writers.writes.tasks.keys()
  const countRejections = () => writers.writes.failedCalls.get(500) ?? 0
  await inject()
  const rejectionsBefore = countRejections()
  await waitUntil('writes are rejected', () => countRejections() - rejectionsBefore >= SETTLE_WRITES)
  await expectNotReady(callApi)
  let isAcknowledged = false
  void writers.waitForWrites(1).then(() => {
    isAcknowledged = true
  })
  const titles: string[] = []
  for (let round = 0; round < PROBES[effort]; round += 1) {
    const title = `Rejected ${randomUUID()}`
    titles.push(title)
    expectStatus(await callApi('POST', '/v1/tasks', { title }), 500)
    expectStatus(await callApi('GET', '/readyz'), 503)
    expectStatus(await callApi('GET', '/healthz'), 200)
    for (const path of [`/v1/tasks/${knownTask}`, '/v1/tasks?per_page=5'])
      expectStatus(await callApi('GET', path), readsWork ? 200 : 500)
  }
  if (isAcknowledged) throw new Error('A write was acknowledged during the outage.')
  await repair()
  await waitForRecovery(callApi, writers)
  expectCleanFailures(writers.writes)
  return titles
}

/** Waits for 20 consecutive responses of 503 from `/readyz`. */
async function expectNotReady(callApi: CallApi): Promise<void> {
  let consecutive = 0
  await waitUntil('the service reports that it is not ready', async () => {
    consecutive = (await callApi('GET', '/readyz')).status === 503 ? consecutive + 1 : 0
    return consecutive >= CONSECUTIVE_503
  })
}

/**
 * Checks that every failed call had one of the expected statuses.
 * @throws Error counting the others
 */
export function expectCleanFailures(
  { failedCalls }: Pick<AcknowledgedWrites, 'failedCalls'>,
  expectedStatuses: readonly number[] = [500],
): void {
  const others = [...failedCalls]
    .filter(([status]) => !expectedStatuses.includes(status))
    .map(([status, count]) => `${count} with ${status || 'no response'}`)
  if (others.length > 0) throw new Error(`Calls were answered ${others.join(', ')}.`)
}

/** Waits until the service acknowledges writes and reports ready. */
export async function waitForRecovery(callApi: CallApi, writers: Writers): Promise<void> {
  await waitForProgress(writers, SETTLE_WRITES)
  await waitUntil(
    'the service reports that it is ready',
    async () => (await callApi('GET', '/readyz')).status === 200,
  )
}

/**
 * Waits for `count` acknowledged writes.
 * @throws Error if there is no progress within the timeout
 */
export async function waitForProgress(
  writers: Pick<Writers, 'waitForWrites'>,
  writeCount: number,
): Promise<void> {
  for (let remaining = writeCount; remaining > 0; remaining -= SETTLE_WRITES) {
    let isDone = false
    void writers.waitForWrites(Math.min(remaining, SETTLE_WRITES)).then(() => {
      isDone = true
    })
    await waitUntil('writes are acknowledged', () => isDone)
  }
}

/** @throws Error if a task with one of the titles is stored */
export async function expectAbsent(environment: FaultEnvironment, titles: readonly string[]): Promise<void> {
  const stored = await environment.withCore(({ storage }) =>
    storage.read((tx) => tx.workspace(environment.workspaceId).tasks.find([])),
  )
  const found = stored.find(({ title }) => titles.includes(title))
  if (found) throw new Error(`"${found.title}" was rejected and is stored.`)
}

export interface ApiResponse {
  readonly request: string
  readonly status: number
  readonly requestId: string | null
  readonly body: unknown
}

export type CallApi = (method: string, path: string, body?: object) => Promise<ApiResponse>

export function createApiCaller({ port }: Pick<Server, 'port'>, token: string): CallApi {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    const requestId = response.headers.get('X-Request-ID')
    return {
      request: `${method} ${path}`,
      status: response.status,
      requestId,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
}

/**
 * @throws Error unless the response has the expected status and, for a 5xx, exactly the documented error body
 */
export function expectStatus({ request, status, requestId, body }: ApiResponse, expected: number): void {
  const errorBody = {
    error: { code: 'internal_error', message: 'An unexpected error occurred.', request_id: requestId },
  }
  if (status === expected && (status < 500 || isDeepStrictEqual(body, errorBody))) return
  throw new Error(
    `${request} was answered ${status} instead of ${expected}, or with a wrong body: ${JSON.stringify(body).slice(0, 300)}`,
  )
}

/**
 * Polls until `condition` returns true.
 * @throws Error naming the condition after the timeout
 */
export async function waitUntil(
  description: string,
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting until ${description}.`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
