import type { Connection } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { withAttempts } from './attempts.ts'
import type { Files, Line } from './files.ts'
import { restingConnection } from './resting.ts'

/** How many transactions share a commit at most, so that none waits long for its answer. */
const GROUP = 128
/** How long a group waits for another process to let go of the file. */
const PATIENCE_MS = 5000
const PAUSE_MS = 5
/** A disk that was full has room again: where one page finds its place, a group of transactions may not. */
const ROOM_MIB = 16
const BYTES_IN_MIB = 1_048_576
/** After these the disk may be full, though it does not always say so. */
const OF_THE_DISK = /^SQLITE_(FULL|IOERR)/

type Work<T> = (connection: Connection, file: Database.Database) => Promise<T>

interface Job {
  /** Whether its answer waits for the disk. */
  readonly isSynced: boolean
  readonly work: Work<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs transactions one after another, each in a savepoint of one open transaction, and answers them all once that is on the
 * disk. One that throws takes back its own savepoint alone. What arrives in the same turn of the event loop shares a commit;
 * a lone transaction waits for nobody. Where none of them is to be synced the disk is not waited for; the next group that does
 * wait brings all before it to the disk, too.
 * @param beforeCommit told when what comes next may be seen by reads
 */
export function groupCommit(files: Files, beforeCommit = () => {}) {
  const waiting: Job[] = []
  let draining: Promise<void> | undefined
  /** How many failures there were that no rule of ours asks for, and up to which of them a write has gone through since. */
  let [failures, outlived] = [0, 0]
  /** The last failure for which the disk may have been full. */
  let full = 0

  function transact<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return queued(work, true)
  }

  function transactUnsynced<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return queued(work, false)
  }

  function queued<T>(work: Work<T>, isSynced: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ isSynced, work, resolve: resolve as (result: unknown) => void, reject })
      draining ??= pause(0).then(drain)
    })
  }

  /** Rejects when a write would fail. Writes, and so waits for the disk, only after one did, and until one has gone through. */
  async function probe(): Promise<void> {
    outlived = await queued(async (_, file) => {
      if (full > outlived) mustHaveRoom(files.room())
      if (failures > outlived) file.pragma(`user_version = ${file.pragma('user_version', { simple: true })}`)
      return failures
    }, true)
  }

  function note(error: unknown): void {
    files.note(error)
    if (!(error instanceof Database.SqliteError) || error.code.startsWith('SQLITE_CONSTRAINT')) return
    failures += 1
    if (OF_THE_DISK.test(error.code)) full = failures
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) await commitGroup()
    draining = undefined
  }

  async function commitGroup(): Promise<void> {
    const group: Job[] = []
    const answers: (() => void)[] = []
    let line: Line | undefined
    // Said before the group begins, when more may yet arrive.
    const isSynced = waiting.slice(0, GROUP).some((job) => job.isSynced)
    try {
      line = files.writer()
      await begin(line, isSynced)
      while (group.length < GROUP && waiting[0] && (isSynced || !waiting[0].isSynced)) {
        const job = waiting.shift()!
        group.push(job)
        answers.push(await outcomeOf(job, line, note))
      }
      beforeCommit()
      line.run('commit')
    } catch (error) {
      if (line?.file.inTransaction) line.run('rollback')
      note(error)
      for (const { reject } of group.length > 0 ? group : waiting.splice(0)) reject(error)
      return
    }
    for (const answer of answers) answer()
  }

  return { transact, transactUnsynced, probe, idle: () => draining ?? Promise.resolve() }
}

async function begin(line: Line, isSynced: boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      line.sync(isSynced)
      line.run('begin immediate')
      return
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!busy || performance.now() > end) throw error
      await pause(PAUSE_MS)
    }
  }
}

async function outcomeOf({ work, resolve, reject }: Job, line: Line, note: (error: unknown) => void): Promise<() => void> {
  const { run, file } = line
  const { connection: whole, mustBeSound } = withAttempts(line)
  const { connection, end } = restingConnection(whole)
  run('savepoint job')
  try {
    const result = await work(connection, file)
    mustBeSound()
    run('release job')
    return () => resolve(result)
  } catch (error) {
    // A full disk ends the whole transaction, and with it the jobs before this one.
    if (!file.inTransaction) throw error
    run('rollback to job')
    run('release job')
    note(error)
    return () => reject(error)
  } finally {
    end()
  }
}

/** @throws Error that says what to do */
function mustHaveRoom(bytes: number): void {
  if (bytes >= ROOM_MIB * BYTES_IN_MIB) return
  throw new Error(`The disk of the database was full, and fewer than ${ROOM_MIB} MiB are left. Make room.`)
}

/** Without milliseconds, the end of this turn of the event loop. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)))
}
