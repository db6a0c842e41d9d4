import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Connection, Row } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { createSerialQueue } from '../transactions/serial-queue.ts'
import type { ThreadRequest, ThreadResponse } from './report-thread-messages.ts'

/** The worker's extension is this file's, which differs once built. */
const WORKER_URL = new URL(`./report-thread-worker${extname(import.meta.url)}`, import.meta.url)

type ReportWorker = ReturnType<typeof startWorker>

/**
 * Runs reports one after another in a worker thread, so no other work of the process waits for them. The
 * thread starts with the first report, does not keep the process alive while idle, and is replaced if it
 * exits.
 */
export function createReportThread(
  path: string,
  noteError: (error: unknown) => void,
  workerUrl: URL = WORKER_URL,
) {
  const runInTurn = createSerialQueue()
  let worker: ReportWorker | undefined

  async function runReport<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (!worker?.isRunning()) worker = startWorker(workerUrl, path)
    const { request, keepAlive } = worker
    keepAlive(true)
    try {
      await request('begin')
      return await work({
        query: ({ sql }, values) => request([sql, values]),
        execute: rejectWrite,
        executeMany: rejectWrite,
        // Reports write nothing, so a savepoint has nothing to roll back.
        savepoint: (work) => work(),
      })
    } catch (error) {
      noteError(error)
      throw error
    } finally {
      await request('end').catch(() => undefined)
      keepAlive(false)
    }
  }

  return {
    runReport: <T>(work: (connection: Connection) => Promise<T>) => runInTurn(() => runReport(work)),
    close: () => runInTurn(async () => worker?.end()),
  }
}

function startWorker(workerUrl: URL, path: string) {
  const worker = new Worker(workerUrl, { workerData: path, name: 'survey' })
  const pending: PromiseWithResolvers<readonly Row[]>[] = []
  let isRunning = true
  let failure = new Error('The thread that reads for reports ended by itself.')
  worker.on('message', (response: ThreadResponse) => {
    const { resolve, reject } = pending.shift()!
    if ('rows' in response) resolve(response.rows)
    else
      reject(
        response.code === undefined
          ? new Error(response.message)
          : new Database.SqliteError(response.message, response.code),
      )
  })
  worker.on('error', (error: Error) => {
    failure = error
  })
  worker.on('exit', () => {
    isRunning = false
    for (const { reject } of pending.splice(0)) reject(failure)
  })

  return {
    isRunning: () => isRunning,
    request(request: ThreadRequest): Promise<readonly Row[]> {
      if (!isRunning) return Promise.reject(failure)
      worker.postMessage(request)
      const response = Promise.withResolvers<readonly Row[]>()
      pending.push(response)
      return response.promise
    },
    keepAlive(isBusy: boolean): void {
      if (isBusy) worker.ref()
      else worker.unref()
    },
    end: () => worker.terminate(),
  }
}

function rejectWrite(): Promise<never> {
  return Promise.reject(new Error('A survey writes nothing.'))
}
