import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Connection, Row } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { FailedResponse, ThreadRequest, ThreadResponse } from './read-thread-messages.ts'

/** The worker's extension is this file's, which differs once built. */
export const WORKER_URL = new URL(`./read-thread-worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Runs one read at a time, its statements in a worker thread. The thread starts with the first read, does not keep
 * the process alive while idle, and is replaced if it exits.
 */
export class ReadThread {
  readonly #path: string
  readonly #workerUrl: URL
  #worker: ReadWorker | undefined

  constructor(path: string, workerUrl: URL) {
    this.#path = path
    this.#workerUrl = workerUrl
  }

  /** @param assertWanted throws once nobody waits for the result */
  async run<T>(work: (connection: Connection) => Promise<T>, assertWanted: () => void): Promise<T> {
    if (!this.#worker?.isRunning) this.#worker = new ReadWorker(this.#workerUrl, this.#path)
    const worker = this.#worker
    worker.keepAlive(true)
    try {
      await worker.request('begin')
      return await work({
        async query({ sql }, values) {
          assertWanted()
          return worker.request([sql, values])
        },
        execute: rejectWrite,
        executeMany: rejectWrite,
        // A read writes nothing, so a savepoint has nothing to roll back.
        savepoint: (part) => part(),
      })
    } finally {
      await worker.request('end').catch(() => undefined)
      worker.keepAlive(false)
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}

/** A thread that answers requests in order. */
class ReadWorker {
  readonly #worker: Worker
  readonly #pending: PromiseWithResolvers<readonly Row[]>[] = []
  #failure = new Error('The thread of a long read ended by itself.')
  #isRunning = true

  constructor(url: URL, path: string) {
    this.#worker = new Worker(url, { workerData: path, name: 'long reads' })
    this.#worker.on('message', (response: ThreadResponse) => this.#settleFirst(response))
    this.#worker.on('error', (error: Error) => {
      this.#failure = error
    })
    this.#worker.on('exit', () => {
      this.#isRunning = false
      for (const { reject } of this.#pending.splice(0)) reject(this.#failure)
    })
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  request(request: ThreadRequest): Promise<readonly Row[]> {
    if (!this.#isRunning) return Promise.reject(this.#failure)
    this.#worker.postMessage(request)
    const response = Promise.withResolvers<readonly Row[]>()
    this.#pending.push(response)
    return response.promise
  }

  keepAlive(isBusy: boolean): void {
    if (isBusy) this.#worker.ref()
    else this.#worker.unref()
  }

  terminate(): Promise<number> {
    return this.#worker.terminate()
  }

  #settleFirst(response: ThreadResponse): void {
    const { resolve, reject } = this.#pending.shift()!
    if ('rows' in response) resolve(response.rows)
    else reject(toError(response))
  }
}

function toError({ message, code }: FailedResponse): Error {
  return code === undefined ? new Error(message) : new Database.SqliteError(message, code)
}

function rejectWrite(): Promise<never> {
  return Promise.reject(new Error('A long read writes nothing.'))
}
