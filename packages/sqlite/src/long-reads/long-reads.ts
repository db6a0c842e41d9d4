import type { ReadOptions } from '@sales-crm/core/ports'
import { type Connection, WorkspaceTurns } from '@sales-crm/sql'
import { ReadThread, WORKER_URL } from './read-thread.ts'

/** Each thread has a connection with a cache of its own, and takes a core. */
const THREADS = 2

/** Runs reads that may take long in threads, so that no other work of the process waits for them. */
export class LongReads {
  readonly #noteError: (error: unknown) => void
  readonly #threads: readonly ReadThread[]
  readonly #turns: WorkspaceTurns<ReadThread>

  constructor(path: string, noteError: (error: unknown) => void, workerUrl: URL = WORKER_URL) {
    this.#noteError = noteError
    this.#threads = Array.from({ length: THREADS }, () => new ReadThread(path, workerUrl))
    this.#turns = new WorkspaceTurns(this.#threads)
  }

  async run<T>(work: (connection: Connection) => Promise<T>, caller?: ReadOptions['caller']): Promise<T> {
    try {
      return await this.#turns.run(
        (thread) => thread.run(work, () => caller?.signal?.throwIfAborted()),
        caller,
      )
    } catch (error) {
      if (!caller?.signal?.aborted) this.#noteError(error)
      throw error
    }
  }

  /** Waits for the reads that run or wait. */
  async close(): Promise<void> {
    await this.#turns.waitUntilIdle()
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}
