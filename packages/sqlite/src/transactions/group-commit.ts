import type { TransactOptions } from '@sales-crm/core/ports'
import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import type { DatabaseFiles } from '../files/database-files.ts'
import type { FileConnection } from '../files/file-connection.ts'
import { createIdleConnection } from './idle-connection.ts'
import { withSavepoints } from './savepoints.ts'

/** Most transactions in one commit, and the time after which none is added: each waits for all of them. */
const [MAX_GROUP, MAX_GROUP_MS] = [128, 20]
/** How long a group waits for another process to release the file. */
const BUSY_TIMEOUT_MS = 5000
const RETRY_DELAY_MS = 5
/** Free space for a full disk to count as recovered: room for one page is not enough for a group. */
const MIN_FREE_MIB = 16
const BYTES_IN_MIB = 1_048_576
/** Errors after which the disk may be full; SQLite does not always report it as such. */
const DISK_CODES = /^SQLITE_(FULL|IOERR)/

type Work<T> = (connection: Connection, db: Database.Database) => Promise<T>

/** The part of the files that the group commit uses. */
export type WriterFiles = Pick<
  DatabaseFiles,
  'writer' | 'noteError' | 'assertLogKept' | 'freeBytes' | 'isLogLong' | 'checkpoint'
>

interface Job {
  /** Whether the commit is synced before the work resolves. */
  readonly isDurable: boolean
  readonly work: Work<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs transactions one after another, each in a savepoint of one open transaction, and resolves them all
 * once it is committed. A work that throws rolls back its own savepoint only. Transactions of one event loop
 * turn share a commit; a single one does not wait for others. A group without durable transactions is not
 * synced; the next synced group makes it durable too.
 */
export class GroupCommit {
  readonly #files: WriterFiles
  readonly #queue: Job[] = []
  #draining: Promise<void> | undefined
  /** Number of unexpected failures. */
  #failureCount = 0
  /** The value of `#failureCount` at the last successful write of a probe. */
  #recoveredCount = 0
  /** The value of `#failureCount` at the last failure that may have been a full disk. */
  #diskFailureCount = 0

  constructor(files: WriterFiles) {
    this.#files = files
  }

  transact<T>(work: Work<T>, options?: TransactOptions): Promise<T> {
    return this.#enqueue(work, options?.durability !== 'relaxed')
  }

  /**
   * Rejects if a write would fail. Writes, and so waits for the disk, only between a failure and the next
   * successful write.
   */
  async probe(): Promise<void> {
    this.#recoveredCount = await this.#enqueue(async (_, db) => {
      if (this.#diskFailureCount > this.#recoveredCount) assertFreeSpace(this.#files.freeBytes())
      if (this.#failureCount > this.#recoveredCount)
        db.pragma(`user_version = ${db.pragma('user_version', { simple: true })}`)
      return this.#failureCount
    }, true)
  }

  async waitUntilIdle(): Promise<void> {
    await this.#draining
  }

  #enqueue<T>(work: Work<T>, isDurable: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ isDurable, work, resolve: resolve as (result: unknown) => void, reject })
      this.#draining ??= pause(0).then(() => this.#drain())
    })
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#commitGroup()
      await this.#shortenLog()
    }
    this.#draining = undefined
  }

  async #commitGroup(): Promise<void> {
    const group: Job[] = []
    const replies: (() => void)[] = []
    let writer: FileConnection | undefined
    // Decided before the group begins, while more may still arrive.
    const isDurable = this.#queue.slice(0, MAX_GROUP).some((job) => job.isDurable)
    try {
      writer = this.#files.writer()
      await beginImmediate(writer, isDurable)
      const endAt = performance.now() + MAX_GROUP_MS
      for (
        let job = this.#nextJob(group, isDurable, endAt);
        job;
        job = this.#nextJob(group, isDurable, endAt)
      ) {
        group.push(job)
        replies.push(await runJob(job, writer, (error) => this.#noteFailure(error)))
      }
      writer.execute('commit')
      this.#files.assertLogKept()
    } catch (error) {
      if (writer?.db.inTransaction) writer.execute('rollback')
      this.#noteFailure(error)
      for (const { reject } of group.length > 0 ? group : this.#queue.splice(0)) reject(error)
      return
    }
    for (const reply of replies) reply()
  }

  /** A checkpoint takes as long as a long commit: other work of the event loop comes between them. */
  async #shortenLog(): Promise<void> {
    try {
      if (!this.#files.isLogLong()) return
      await pause(0)
      this.#files.checkpoint()
    } catch {
      // As after a checkpoint of SQLite itself that fails: all commits are in the log, and the next one copies it.
    }
  }

  /** A group has at least one job. A relaxed one takes no durable job, which would have to be synced. */
  #nextJob(group: readonly Job[], isDurable: boolean, endAt: number): Job | undefined {
    const hasRoom = group.length < MAX_GROUP && (group.length === 0 || performance.now() < endAt)
    return hasRoom && (isDurable || !this.#queue[0]?.isDurable) ? this.#queue.shift() : undefined
  }

  #noteFailure(error: unknown): void {
    this.#files.noteError(error)
    if (!(error instanceof Database.SqliteError) || error.code.startsWith('SQLITE_CONSTRAINT')) return
    this.#failureCount += 1
    if (DISK_CODES.test(error.code)) this.#diskFailureCount = this.#failureCount
  }
}

async function beginImmediate(writer: FileConnection, isDurable: boolean): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      writer.setSynchronous(isDurable)
      writer.execute('begin immediate')
      return
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isBusy || performance.now() > deadline) throw error
      await pause(RETRY_DELAY_MS)
    }
  }
}

async function runJob(
  { work, resolve, reject }: Job,
  writer: FileConnection,
  noteFailure: (error: unknown) => void,
): Promise<() => void> {
  const { execute, db } = writer
  const { connection: savepointConnection, throwIfFailed } = withSavepoints(writer)
  const { connection, end } = createIdleConnection(savepointConnection)
  execute('savepoint job')
  try {
    const result = await work(connection, db)
    throwIfFailed()
    execute('release job')
    return () => resolve(result)
  } catch (error) {
    // A full disk rolls back the whole transaction, including the jobs before this one.
    if (!db.inTransaction) throw error
    execute('rollback to job')
    execute('release job')
    noteFailure(error)
    return () => reject(error)
  } finally {
    end()
  }
}

/** @throws Error that tells the operator what to do */
function assertFreeSpace(bytes: number): void {
  if (bytes >= MIN_FREE_MIB * BYTES_IN_MIB) return
  throw new Error(
    `The disk of the database was full, and fewer than ${MIN_FREE_MIB} MiB are left. Make room.`,
  )
}

/** Without milliseconds, waits until the end of this event loop turn. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)))
}
