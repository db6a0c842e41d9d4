import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Connection, Row } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { createSerialQueue } from '../transactions/serial-queue.ts'
import type { FailedResponse, ThreadRequest, ThreadResponse } from './report-thread-messages.ts'

/** The worker's extension is this file's, which differs once built. */
const WORKER_URL = new URL(`./report-thread-worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Runs reports one after another in a worker thread, so no other work of the process waits for them. The
 * thread starts with the first report, does not keep the process alive while idle, and is replaced if it
 * exits.
 */
export class ReportThread {
  readonly #path: string
  readonly #noteError: (error: unknown) => void
  readonly #workerUrl: URL
  readonly #runInTurn = createSerialQueue()
  #worker: ReportWorker | undefined

  constructor(path: string, noteError: (error: unknown) => void, workerUrl: URL = WORKER_URL) {
    this.#path = path
    this.#noteError = noteError
    this.#workerUrl = workerUrl
  }

  run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#runInTurn(() => this.#run(work))
  }

  async close(): Promise<void> {
    await this.#runInTurn(async () => this.#worker?.terminate())
  }

  async #run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.#worker?.isRunning) this.#worker = new ReportWorker(this.#workerUrl, this.#path)
    const worker = this.#worker
    worker.keepAlive(true)
    try {
      await worker.request('begin')
      return await work({
        query: ({ sql }, values) => worker.request([sql, values]),
        execute: rejectWrite,
        executeMany: rejectWrite,
        // Reports write nothing, so a savepoint has nothing to roll back.
        savepoint: (work) => work(),
      })
    } catch (error) {
      this.#noteError(error)
      throw error
    } finally {
      await worker.request('end').catch(() => undefined)
      worker.keepAlive(false)
    }
  }
}

/** A thread that answers requests in order. */
class ReportWorker {
  readonly #worker: Worker
  readonly #pending: PromiseWithResolvers<readonly Row[]>[] = []
  #failure = new Error('The thread that reads for reports ended by itself.')
  #isRunning = true

  constructor(url: URL, path: string) {
    this.#worker = new Worker(url, { workerData: path, name: 'reports' })
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
  return Promise.reject(new Error('A report writes nothing.'))
}
