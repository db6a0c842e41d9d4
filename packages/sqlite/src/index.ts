import './supported-node.ts'

import { existsSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import type { ReadOptions, Storage, TransactOptions } from '@sales-crm/core/ports'
import { type Connection, createMigrator, type Migrations, type Statement, sqlStorage } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { sqliteDialect } from './dialect/sqlite-dialect.ts'
import { DatabaseFiles } from './files/database-files.ts'
import { findSizeProblem } from './files/file-size.ts'
import { openReader, openWriter } from './files/open-file.ts'
import { createMigrationDatabase } from './migrations/migration-database.ts'
import { createReportThread } from './reports/report-thread.ts'
import { createGroupCommit } from './transactions/group-commit.ts'
import { withSavepoints } from './transactions/savepoints.ts'
import { createSharedSnapshot } from './transactions/shared-snapshot.ts'

export { acquireProcessLock, type ProcessLock } from './files/process-lock.ts'
export { type RestoreOptions, restoreDatabase } from './files/restore.ts'

const INTEGRITY_CHECK: Statement = {
  name: 'integrity_check',
  sql: 'pragma integrity_check',
  params: [],
  plan: 'generic',
}

type Work<T> = (connection: Connection) => Promise<T>

/** A SQLite file: what `createCrm` takes as `storage`. */
export interface SqliteStorage extends Storage, Migrations {
  /**
   * Writes a consistent copy while the service runs, readable by its owner alone.
   * @throws Error when `to` exists
   */
  backup(to: string): Promise<void>
  /**
   * Tries a write and rolls it back. Does nothing while another process writes.
   * @throws Error when this user or the disk does not allow writes
   */
  assertWritable(): void
  /** The problems that `pragma quick_check` reports; empty for a sound file. */
  quickCheck(): string[]
  /** Why the size of the file is wrong: SQLite reads the missing end of a last page as zeros. */
  sizeProblem(): string | undefined
  /** A wrong size, and the problems that `pragma integrity_check` reports. Reads every page, on another thread. */
  integrityCheck(): Promise<string[]>
  /** `SQLite 3.53.0` */
  version(): Promise<string>
}

/** @throws TypeError for an option that is not a path */
function pathOf(options: { readonly file: string }): string {
  const { file } = Object(options) as { readonly file?: unknown }
  if (typeof file !== 'string' || file === '')
    throw new TypeError('sqliteStorage needs the option file, a path: sqliteStorage({ file: "crm.db" }).')
  if (file.startsWith(':memory:'))
    throw new TypeError(
      'sqliteStorage keeps data in a file. memoryStorage of @sales-crm/core/memory keeps none.',
    )
  return file
}

/**
 * Opens a file, creating it if missing, in WAL mode with `synchronous=FULL`: acknowledged writes survive a
 * power failure, except those with relaxed durability. Applies pending migrations unless `migrate` is false.
 * @throws Error of one line for a file that is damaged, of a newer version, hard-linked, or not a database
 */
export async function sqliteStorage(options: {
  readonly file: string
  readonly migrate?: boolean
  /** Receives one line for the operator when files were found changed and what was done about it. */
  readonly onNotice?: (message: string) => void
}): Promise<SqliteStorage> {
  const path = pathOf(options)
  assertOneName(path)
  await withMigrator(path, async (migrator) => {
    const pending = await migrator.pending()
    if (pending.length > 0 && options.migrate !== false) await migrator.migrate()
  })

  const files = new DatabaseFiles(path, options.onNotice)
  const reads = createSharedSnapshot(files)
  const groupCommit = createGroupCommit(files, reads.end)
  const { runReport, close: closeSurveys } = createReportThread(path, (error) => files.noteError(error))
  let isClosed = false
  let closing: Promise<void> | undefined

  async function transact<T>(work: Work<T>, options?: TransactOptions): Promise<T> {
    if (isClosed) throw storageClosedError()
    return groupCommit.transact(work, options)
  }

  async function read<T>(work: Work<T>, options?: ReadOptions): Promise<T> {
    if (isClosed) throw storageClosedError()
    if (options?.workload === 'report') {
      files.assertCurrent()
      return runReport(work)
    }
    return reads.read(async (reader, query) => {
      const { connection, throwIfFailed } = withSavepoints(reader)
      const result = await work({ ...connection, query })
      throwIfFailed()
      return result
    })
  }

  /** Opens another connection, but not on a file whose log is that of an earlier one. */
  function openOwnReader(): Database.Database {
    files.assertCurrent()
    return openReader(path)
  }

  function withOwnWriter<T>(work: (db: Database.Database) => T): T {
    files.assertCurrent()
    const db = openWriter(path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }

  const storage = sqlStorage(
    {
      read,
      transact,
      async check() {
        if (isClosed) throw storageClosedError()
        await groupCommit.probe()
        files.assertDiskWritable()
        const damage = files.damage()
        if (damage)
          throw new Error(`The database ${path} is damaged (${damage.message}). Restore it from a backup.`)
        const pending = await createMigrator(
          createMigrationDatabase(files.reader().db),
          sqliteDialect,
        ).pending()
        if (pending.length > 0)
          throw new Error(`The database lacks ${pending.join(', ')}. Run the migrate command.`)
      },
      close() {
        isClosed = true
        closing ??= Promise.all([groupCommit.waitUntilIdle(), reads.waitUntilIdle(), closeSurveys()]).then(
          () => files.close(),
        )
        return closing
      },
    },
    sqliteDialect,
  )

  return {
    ...storage,
    migrate: () => withMigrator(path, (migrator) => migrator.migrate()),
    pending: () => withMigrator(path, (migrator) => migrator.pending()),
    async backup(to) {
      const db = openOwnReader()
      try {
        createExclusively(to)
        await copyDatabase(db, to)
      } finally {
        db.close()
      }
    },
    async version() {
      return `SQLite ${files.reader().db.prepare('select sqlite_version()').pluck().get()}`
    },
    assertWritable: () => withOwnWriter(tryWrite),
    sizeProblem: () => withOwnWriter(findSizeProblem),
    async integrityCheck() {
      const sizeProblem = withOwnWriter(findSizeProblem)
      const rows = await runReport(({ query }) => query(INTEGRITY_CHECK, []))
      const problems = listProblems(rows.map((row) => String(row['integrity_check'])))
      return sizeProblem === undefined ? problems : [sizeProblem, ...problems]
    },
    // Uses a connection of its own, whose cache is freed with it: the check reads every page.
    quickCheck() {
      const db = openOwnReader()
      try {
        const rows = db.pragma('quick_check') as { readonly quick_check: string }[]
        return listProblems(rows.map(({ quick_check }) => quick_check))
      } finally {
        db.close()
      }
    },
  }
}

/**
 * SQLite names the log after the path, so each hard link would have a log of its own.
 * @throws Error of one line
 */
function assertOneName(path: string): void {
  const names = existsSync(path) && statSync(path).isFile() ? statSync(path).nlink : 1
  if (names === 1) return
  throw new Error(
    `The database ${path} has ${names} names (hard links), and each would get a log of its own. Remove the others, or make them copies.`,
  )
}

/**
 * Copies in one transaction: otherwise SQLite restarts the copy at each commit of another process and may
 * never finish.
 */
async function copyDatabase(db: Database.Database, to: string): Promise<void> {
  try {
    db.exec('begin; select count(*) from sqlite_schema')
    await db.backup(to)
  } catch (error) {
    removeIfPossible(to)
    removeIfPossible(`${to}-journal`)
    throw explainBackupError(error, to)
  }
}

function removeIfPossible(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // The error of the backup is reported instead.
  }
}

/** Errors of the target, because the source is only read. */
const TARGET_CODES = /^SQLITE_(FULL|READONLY|CANTOPEN|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|CLOSE|DELETE))/

function explainBackupError(error: unknown, to: string): unknown {
  if (!(error instanceof Database.SqliteError) || !TARGET_CODES.test(error.code)) return error
  const isFull = error.code === 'SQLITE_FULL'
  const reason = isFull ? 'its disk is full' : `${error.message}, ${error.code}`
  const advice = isFull ? 'Make room there' : 'Check its disk'
  return new Error(`Cannot write ${to} (${reason}). ${advice}, or name a file on another disk.`, {
    cause: error,
  })
}

/** Each check reports `ok` if it finds nothing. Problems of a page have a heading in a line of its own. */
function listProblems(lines: readonly string[]): string[] {
  const problems = lines.map((line) => line.replace(/^\*\*\* .* \*\*\*\n/, '').replaceAll('\n', ' '))
  return problems.filter((problem) => problem !== 'ok')
}

/** `begin immediate` alone succeeds on a read-only file. */
function tryWrite(db: Database.Database): void {
  try {
    db.exec('begin immediate')
    db.pragma(`user_version = ${db.pragma('user_version', { simple: true })}`)
    db.exec('rollback')
  } catch (error) {
    if (!(error as { readonly code?: string }).code?.startsWith('SQLITE_BUSY')) throw error
  }
}

/** Migrates over a connection of its own, so no serving connection sees a partial schema. */
async function withMigrator<T>(path: string, work: (migrator: Migrations) => Promise<T>): Promise<T> {
  const db = openWriter(path)
  try {
    // Allows a referenced table to be recreated.
    db.pragma('foreign_keys = OFF')
    return await work(createMigrator(createMigrationDatabase(db), sqliteDialect))
  } finally {
    db.close()
  }
}

/** @throws Error of one line */
function createExclusively(copy: string): void {
  try {
    writeFileSync(copy, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new Error(`${copy} exists already. Name a file that does not.`)
    throw new Error(`Cannot make ${copy} (${message}). Name a file in a folder where this user may write.`, {
      cause: error,
    })
  }
}

function storageClosedError(): Error {
  return new Error('The storage is closed.')
}
