import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** The longest call of each kind, in milliseconds. */
export interface Latencies {
  /** Of `/healthz`. */
  readonly health: number
  /** Of lists and searches in another workspace. */
  readonly neighbour: number
}

export interface MonitorData {
  readonly port: number
  /** Of another workspace. */
  readonly token: string
}

/** A call that waits for the one that is measured ends this much later. */
const TRAIL_MS = 30

/** Calls the service for another workspace all the time, in a thread. */
export class Neighbour {
  readonly #worker: Worker

  constructor(workerData: MonitorData) {
    this.#worker = new Worker(new URL('./neighbour-monitor.ts', import.meta.url), { workerData })
  }

  /** Returns the longest calls of the neighbour while `work` ran, and its own time. */
  async measureDuring(work: () => Promise<unknown>): Promise<Latencies & { readonly own: number }> {
    await this.#takeWorst()
    const startedAt = performance.now()
    await work()
    const own = performance.now() - startedAt
    await pause(TRAIL_MS)
    return { ...(await this.#takeWorst()), own }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  async #takeWorst(): Promise<Latencies> {
    const response = once(this.#worker, 'message') as Promise<[Latencies]>
    this.#worker.postMessage('take')
    return (await response)[0]
  }
}
