import type { ReadOptions, TransactOptions } from '@sales-crm/core/ports'
import {
  type Connection,
  createMigrator,
  type DatabaseDriver,
  LongReadError,
  type Migrations,
  type Statement,
} from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import { sqliteDialect } from './dialect/sqlite-dialect.ts'
import { writeBackup } from './files/backup.ts'
import { DatabaseFiles } from './files/database-files.ts'
import { findSizeProblem } from './files/file-size.ts'
import { openReader, openWriter } from './files/open-file.ts'
import { LongReads } from './long-reads/long-reads.ts'
import { createMigrationDatabase } from './migrations/migration-database.ts'
import { GroupCommit } from './transactions/group-commit.ts'
import { SnapshotReads } from './transactions/snapshot-reads.ts'

const INTEGRITY_CHECK: Statement = {
  name: 'integrity_check',
  sql: 'pragma integrity_check',
  params: [],
  plan: 'generic',
}

type Work<T> = (connection: Connection) => Promise<T>

/** The transactions of a file, and what an operator does with it. */
export class SqliteDatabase implements DatabaseDriver {
  readonly #path: string
  readonly #files: DatabaseFiles
  readonly #writes: GroupCommit
  readonly #reads: SnapshotReads
  readonly #longReads: LongReads
  readonly #idle = Promise.withResolvers<void>()
  #readsInFlight = 0
  #closing: Promise<void> | undefined

  constructor(path: string, onWarning?: (message: string) => void) {
    this.#path = path
    this.#files = new DatabaseFiles(path, onWarning)
    this.#writes = new GroupCommit(this.#files)
    this.#reads = new SnapshotReads(this.#files)
    this.#longReads = new LongReads(path, (error) => this.#files.noteError(error))
  }

  async transact<T>(work: Work<T>, options?: TransactOptions): Promise<T> {
    this.#assertOpen()
    return this.#writes.transact(work, options)
  }

  async read<T>(work: Work<T>, options?: ReadOptions): Promise<T> {
    this.#assertOpen()
    this.#readsInFlight += 1
    try {
      if (options?.workload === 'report') return await this.#readLong(work, options)
      return await this.#reads.read(work).catch((error: unknown) => {
        if (!(error instanceof LongReadError)) throw error
        // It only reads, so it can run again from its start.
        return this.#readLong(work, options)
      })
    } finally {
      this.#readsInFlight -= 1
      if (this.#closing && this.#readsInFlight === 0) this.#idle.resolve()
    }
  }

  async check(): Promise<void> {
    this.#assertOpen()
    await this.#writes.probe()
    this.#files.assertDiskWritable()
    const damage = this.#files.damage()
    if (damage)
      throw new Error(`The database ${this.#path} is damaged (${damage.message}). Restore it from a backup.`)
    const pending = await createMigrator(
      createMigrationDatabase(this.#files.reader().db),
      sqliteDialect,
    ).pending()
    if (pending.length > 0)
      throw new Error(`The database lacks ${pending.join(', ')}. Run the migrate command.`)
  }

  close(): Promise<void> {
    this.#closing ??= this.#waitAndClose()
    return this.#closing
  }

  /** `SQLite 3.53.0` */
  async version(): Promise<string> {
    return `SQLite ${this.#files.reader().db.prepare('select sqlite_version()').pluck().get()}`
  }

  async backup(to: string): Promise<void> {
    const db = this.#openReader()
    try {
      await writeBackup(db, to)
    } finally {
      db.close()
    }
  }

  assertWritable(): void {
    this.#withWriter(tryWrite)
  }

  sizeProblem(): string | undefined {
    return this.#withWriter(findSizeProblem)
  }

  /** Uses a connection of its own, whose cache is freed with it: the check reads every page. */
  quickCheck(): string[] {
    const db = this.#openReader()
    try {
      const rows = db.pragma('quick_check') as { readonly quick_check: string }[]
      return listProblems(rows.map(({ quick_check }) => quick_check))
    } finally {
      db.close()
    }
  }

  async integrityCheck(): Promise<string[]> {
    const sizeProblem = this.sizeProblem()
    const rows = await this.#longReads.run(({ query }) => query(INTEGRITY_CHECK, []))
    const problems = listProblems(rows.map((row) => String(row['integrity_check'])))
    return sizeProblem === undefined ? problems : [sizeProblem, ...problems]
  }

  async #readLong<T>(work: Work<T>, options?: ReadOptions): Promise<T> {
    this.#files.assertCurrent()
    return this.#longReads.run(work, options?.caller)
  }

  #assertOpen(): void {
    if (this.#closing) throw new Error('The storage is closed.')
  }

  async #waitAndClose(): Promise<void> {
    if (this.#readsInFlight === 0) this.#idle.resolve()
    await Promise.all([this.#writes.waitUntilIdle(), this.#idle.promise])
    await this.#longReads.close()
    this.#files.close()
  }

  /** Opens another connection, but not on a file whose log is that of an earlier one. */
  #openReader(): Database.Database {
    this.#files.assertCurrent()
    return openReader(this.#path)
  }

  #withWriter<T>(work: (db: Database.Database) => T): T {
    this.#files.assertCurrent()
    const db = openWriter(this.#path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
}

/** Migrates over a connection of its own, so no serving connection sees a partial schema. */
export async function withMigrator<T>(path: string, work: (migrator: Migrations) => Promise<T>): Promise<T> {
  const db = openWriter(path)
  try {
    // Allows a referenced table to be recreated.
    db.pragma('foreign_keys = OFF')
    return await work(createMigrator(createMigrationDatabase(db), sqliteDialect))
  } finally {
    db.close()
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
