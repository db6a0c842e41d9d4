import './supported-node.ts'

import type { ReadOptions, Storage, TransactOptions } from '@sales-crm/core/ports'
import { type Connection, createMigrator, type Migrations, type Statement, sqlStorage } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import { sqliteDialect } from './dialect/sqlite-dialect.ts'
import { writeBackup } from './files/backup.ts'
import { DatabaseFiles } from './files/database-files.ts'
import { parsePath } from './files/database-path.ts'
import { findSizeProblem } from './files/file-size.ts'
import { openReader, openWriter } from './files/open-file.ts'
import { createMigrationDatabase } from './migrations/migration-database.ts'
import { createReportThread } from './reports/report-thread.ts'
import { createGroupCommit } from './transactions/group-commit.ts'
import { SnapshotReads } from './transactions/snapshot-reads.ts'

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
  const path = parsePath(options)
  await withMigrator(path, async (migrator) => {
    const pending = await migrator.pending()
    if (pending.length > 0 && options.migrate !== false) await migrator.migrate()
  })

  const files = new DatabaseFiles(path, options.onNotice)
  const reads = new SnapshotReads(files)
  const groupCommit = createGroupCommit(files)
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
    return reads.read(work)
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
        await writeBackup(db, to)
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

function storageClosedError(): Error {
  return new Error('The storage is closed.')
}
