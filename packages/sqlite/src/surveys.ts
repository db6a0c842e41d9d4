import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Connection, Row } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { inTurn } from './in-turn.ts'
import type { Answer, Order } from './survey-orders.ts'

/** Beside this file, with the same ending, which is another one once it is built. */
const THREAD = new URL(`./survey-thread${extname(import.meta.url)}`, import.meta.url)

type Thread = ReturnType<typeof start>

/**
 * Reads in a thread of its own, one survey after another: nothing else in the process waits for them, however long they take. The thread is
 * started with the first, keeps no process alive once nobody surveys, and another takes its place should it end.
 */
export function surveys(path: string, note: (error: unknown) => void, thread: URL = THREAD) {
  const surveyInTurn = inTurn()
  let current: Thread | undefined

  async function survey<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (!current?.isRunning()) current = start(thread, path)
    const { ask, keepAlive } = current
    keepAlive(true)
    try {
      await ask('begin')
      return await work({
        rows: ({ sql }, values) => ask([sql, values]),
        run: refused,
        write: refused,
        // Nothing was written that could be taken back.
        attempt: (part) => part(),
      })
    } catch (error) {
      note(error)
      throw error
    } finally {
      await ask('end').catch(() => undefined)
      keepAlive(false)
    }
  }

  return {
    survey: <T>(work: (connection: Connection) => Promise<T>) => surveyInTurn(() => survey(work)),
    close: () => surveyInTurn(async () => current?.end()),
  }
}

function start(thread: URL, path: string) {
  const worker = new Worker(thread, { workerData: path, name: 'survey' })
  const asked: PromiseWithResolvers<readonly Row[]>[] = []
  let isRunning = true
  let failure = new Error('The thread that reads for reports ended by itself.')
  worker.on('message', (answer: Answer) => {
    const { resolve, reject } = asked.shift()!
    if ('rows' in answer) resolve(answer.rows)
    else reject(answer.code === undefined ? new Error(answer.message) : new Database.SqliteError(answer.message, answer.code))
  })
  worker.on('error', (error: Error) => {
    failure = error
  })
  worker.on('exit', () => {
    isRunning = false
    for (const { reject } of asked.splice(0)) reject(failure)
  })

  return {
    isRunning: () => isRunning,
    ask(order: Order): Promise<readonly Row[]> {
      if (!isRunning) return Promise.reject(failure)
      worker.postMessage(order)
      const answer = Promise.withResolvers<readonly Row[]>()
      asked.push(answer)
      return answer.promise
    },
    keepAlive(isNeeded: boolean): void {
      if (isNeeded) worker.ref()
      else worker.unref()
    },
    end: () => worker.terminate(),
  }
}

function refused(): Promise<never> {
  return Promise.reject(new Error('A survey writes nothing.'))
}
