import { randomUUID } from 'node:crypto'
import { createKeyedWriters, type KeyedWrites } from './keyed-writers.ts'
import { createCalls } from './write-calls.ts'

/** A task as its creator knows it: acknowledged titles, and the title of an unanswered change. */
export interface KnownTask {
  /** The last acknowledged title. */
  title: string
  /** All acknowledged titles, beginning with that of its creation. Each has an event. */
  readonly titles: string[]
  /** The title of a change without a response, which may be stored or not. No change follows it. */
  unconfirmed: string | undefined
}

export interface AcknowledgedWrites extends KeyedWrites {
  /** Tasks whose creation was acknowledged, by id. */
  readonly tasks: ReadonlyMap<string, KnownTask>
  /** Titles and names of records whose creation was not acknowledged. */
  readonly unconfirmed: ReadonlySet<string>
  /** Number of failed calls by status, with 0 for calls without a response. */
  readonly failedCalls: ReadonlyMap<number, number>
  /** Number of calls without a response that were sent over an established connection. */
  readonly lostCount: number
}

export interface Writers {
  readonly writes: AcknowledgedWrites
  /** Directs later calls to these ports. */
  setPorts(...ports: readonly number[]): void
  /** Resolves after `count` further acknowledged writes. */
  waitForWrites(count: number): Promise<void>
  /** Sends no further call, and resolves when no call is in flight. */
  stop(): Promise<AcknowledgedWrites>
}

export interface WritersOptions {
  readonly token: string
  readonly ports: readonly number[]
  /** Number of callers that create tasks and change them up to twice. */
  readonly count?: number
  /** Number of callers that create deals with a person and a tag, under idempotency keys. */
  readonly keyedCount?: number
  /** True if the keyed callers move deals to another stage. */
  readonly moves?: boolean
}

/** Starts callers that write without a pause, even if calls fail. */
export function startWriters({
  token,
  ports,
  count = 12,
  keyedCount = 4,
  moves = true,
}: WritersOptions): Writers {
  const calls = createCalls(token, ports)
  let isStopped = false
  const tasks = new Map<string, KnownTask>()
  const unconfirmed = new Set<string>()
  const keyedWriters = createKeyedWriters({ ...calls, isStopped: () => isStopped, unconfirmed, moves })
  const writes: AcknowledgedWrites = {
    ...keyedWriters.writes,
    tasks,
    unconfirmed,
    failedCalls: calls.failedCalls,
    get lostCount() {
      return calls.lostCount()
    },
  }

  async function writeTasks(): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const title = `Created ${randomUUID()}`
      unconfirmed.add(title)
      const creation = await calls.call('POST', '/v1/tasks', { title })
      if (creation.outcome !== 'unknown') unconfirmed.delete(title)
      if (creation.outcome !== 'success') continue
      const { id } = (JSON.parse(creation.text) as { readonly data: { readonly id: string } }).data
      const known: KnownTask = { title, titles: [title], unconfirmed: undefined }
      tasks.set(id, known)
      for (let change = 0; change < turn % 3 && known.unconfirmed === undefined; change += 1)
        await rename(id, known)
    }
  }

  async function rename(id: string, known: KnownTask): Promise<void> {
    const title = `Changed ${randomUUID()}`
    known.unconfirmed = title
    const { outcome } = await calls.call('PATCH', `/v1/tasks/${id}`, { title })
    if (outcome !== 'unknown') known.unconfirmed = undefined
    if (outcome !== 'success') return
    known.title = title
    known.titles.push(title)
  }

  const running = [
    ...Array.from({ length: count }, writeTasks),
    ...Array.from({ length: keyedCount }, keyedWriters.write),
  ]
  return {
    writes,
    setPorts: (...newPorts) => calls.setPorts(newPorts),
    waitForWrites: calls.waitForWrites,
    async stop() {
      isStopped = true
      await Promise.all(running)
      return writes
    },
  }
}

/** @throws Error if a call got a failure response, which restarts of processes alone do not justify */
export function expectNoFailures({ failedCalls }: Pick<AcknowledgedWrites, 'failedCalls'>): void {
  const failures = [...failedCalls].filter(([status]) => status > 0)
  if (failures.length > 0)
    throw new Error(
      `Calls failed: ${failures.map(([status, count]) => `${count} with ${status}`).join(', ')}.`,
    )
}
