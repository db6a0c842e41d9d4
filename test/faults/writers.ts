import { randomUUID } from 'node:crypto'
import { createKeyedWriters, type KeyedWritten } from './keyed-writers.ts'
import { createCalls } from './write-calls.ts'

/**
 * What a caller knows of a task it made: what it was told is there, and what it asked for without an answer.
 */
export interface KnownTask {
  /** The last title that was acknowledged. */
  title: string
  /** All that were, from its making on: an event tells of each. */
  readonly told: string[]
  /**
   * A title that was sent and of which no word came back: it may be there, or not. Nothing was changed after
   * it.
   */
  unsure: string | undefined
}

export interface AcknowledgedWrites extends KeyedWritten {
  /** By id, tasks whose making was acknowledged. */
  readonly tasks: ReadonlyMap<string, KnownTask>
  /** Titles and names of records of whose making no word came back. */
  readonly unsure: ReadonlySet<string>
  /** Answers that were a refusal, by status, and calls that got no answer at all, under 0. */
  readonly refused: ReadonlyMap<number, number>
  /** Of those under 0, how many were sent over a connection that was there. */
  readonly lost: number
}

export interface Writers {
  readonly written: AcknowledgedWrites
  /** From now on the calls go there: where a service was started anew, or another takes its place. */
  goTo(...ports: readonly number[]): void
  /** Once so many writes have been acknowledged since it was asked. */
  acknowledged(count: number): Promise<void>
  /** No call begins any more; resolves when none is under way. */
  stop(): Promise<AcknowledgedWrites>
}

export interface WritersOptions {
  readonly token: string
  readonly ports: readonly number[]
  /** Callers that make tasks, and change them once or twice. */
  readonly count?: number
  /**
   * Callers that make deals with what hangs on them, under keys with which they ask again until they are
   * answered.
   */
  readonly keyed?: number
  /** Whether they move the deals from one stage to another. */
  readonly moves?: boolean
}

/** Callers that write on and on, whatever becomes of the service. */
export function startWriters({ token, ports, count = 12, keyed = 4, moves = true }: WritersOptions): Writers {
  const calls = createCalls(token, ports)
  let isStopped = false
  const tasks = new Map<string, KnownTask>()
  const unsure = new Set<string>()
  const withKeys = createKeyedWriters({ ...calls, isStopped: () => isStopped, unsure, moves })
  const written: AcknowledgedWrites = {
    ...withKeys.written,
    tasks,
    unsure,
    refused: calls.refused,
    get lost() {
      return calls.lostCount()
    },
  }

  async function writeTasks(): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const title = `Made ${randomUUID()}`
      unsure.add(title)
      const made = await calls.call('POST', '/v1/tasks', { title })
      if (made.word !== 'none') unsure.delete(title)
      if (made.word !== 'done') continue
      const { id } = (JSON.parse(made.text) as { readonly data: { readonly id: string } }).data
      const known: KnownTask = { title, told: [title], unsure: undefined }
      tasks.set(id, known)
      for (let change = 0; change < turn % 3 && known.unsure === undefined; change += 1)
        await rename(id, known)
    }
  }

  async function rename(id: string, known: KnownTask): Promise<void> {
    const title = `Changed ${randomUUID()}`
    known.unsure = title
    const { word } = await calls.call('PATCH', `/v1/tasks/${id}`, { title })
    if (word !== 'none') known.unsure = undefined
    if (word !== 'done') return
    known.title = title
    known.told.push(title)
  }

  const writing = [
    ...Array.from({ length: count }, writeTasks),
    ...Array.from({ length: keyed }, withKeys.write),
  ]
  return {
    written,
    goTo: (...others) => calls.goTo(others),
    acknowledged: calls.acknowledged,
    async stop() {
      isStopped = true
      await Promise.all(writing)
      return written
    },
  }
}

/**
 * @throws Error when a call was answered with a failure: nothing was wrong but that processes came and went
 */
export function expectNoFailures({ refused }: Pick<AcknowledgedWrites, 'refused'>): void {
  const failed = [...refused].filter(([status]) => status > 0)
  if (failed.length > 0)
    throw new Error(`Calls failed: ${failed.map(([status, count]) => `${count} with ${status}`).join(', ')}.`)
}
