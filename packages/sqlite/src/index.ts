import { rmSync, writeFileSync } from 'node:fs'
import type { Storage } from '@sales-crm/core/ports'
import { type Connection, type Migrations, migrations, sqlStorage } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import { withAttempts } from './attempts.ts'
import { sqliteDialect } from './dialect.ts'
import { openFiles } from './files.ts'
import { groupCommit } from './group-commit.ts'
import { migrationsDatabase } from './migrations-database.ts'
import { openReader, openWriter } from './open-file.ts'
import { sharedReads } from './shared-reads.ts'
import { surveys } from './surveys.ts'

export { holdForServing } from './serving-lock.ts'

export interface SqliteStorage extends Storage, Migrations {
  /** An online, consistent copy, its owner's alone. @throws Error when `to` exists */
  backup(to: string): Promise<void>
  /** What `pragma quick_check` finds wrong: empty for a sound file. */
  faults(): string[]
  /** `SQLite 3.53.0` */
  version(): Promise<string>
}

/**
 * Opens a file, made when it is not there, in WAL mode with `synchronous=FULL`, but for what says that it need not be synced: what else
 * is acknowledged survives a power cut.
 * Its tables are brought up to date unless `migrate` is false.
 * @throws Error in one clear line for a file that is damaged, too new, or no database
 */
export async function sqliteStorage(options: { readonly file: string; readonly migrate?: boolean }): Promise<SqliteStorage> {
  const { file: path } = options
  await moving(path, async (moves) => {
    const pending = await moves.pending()
    if (pending.length > 0 && options.migrate !== false) await moves.migrate()
  })

  const files = openFiles(path)
  const reads = sharedReads(files)
  const group = groupCommit(files, reads.end)
  const { survey, close: closeSurveys } = surveys(path, files.note)
  let closed = false
  let closing: Promise<void> | undefined

  async function transact<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (closed) throw closedError()
    return group.transact(work)
  }

  async function transactUnsynced<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (closed) throw closedError()
    return group.transactUnsynced(work)
  }

  async function read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (closed) throw closedError()
    return reads.read(async (line, rows) => {
      const { connection, mustBeSound } = withAttempts(line)
      const result = await work({ ...connection, rows })
      mustBeSound()
      return result
    })
  }

  const storage = sqlStorage(
    {
      read,
      glance: read,
      async survey(work) {
        if (closed) throw closedError()
        return survey(work)
      },
      transact,
      transactUnsynced,
      async check() {
        if (closed) throw closedError()
        await group.probe()
        const damage = files.damage()
        if (damage) throw new Error(`The database ${path} is damaged (${damage.message}). Restore it from a backup.`)
        const pending = await migrations(migrationsDatabase(files.reader().file), sqliteDialect).pending()
        if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}. Run the migrate command.`)
      },
      close() {
        closed = true
        closing ??= Promise.all([group.idle(), reads.idle(), closeSurveys()]).then(() => files.close())
        return closing
      },
    },
    sqliteDialect,
  )

  return {
    ...storage,
    migrate: () => moving(path, (moves) => moves.migrate()),
    pending: () => moving(path, (moves) => moves.pending()),
    async backup(to) {
      const file = openReader(path)
      try {
        makeNew(to)
        await copied(file, to)
      } finally {
        file.close()
      }
    },
    async version() {
      return `SQLite ${files.reader().file.prepare('select sqlite_version()').pluck().get()}`
    },
    // On a connection of its own, whose memory goes with it: this reads every page.
    faults() {
      const file = openReader(path)
      try {
        const found = file.pragma('quick_check') as { quick_check: string }[]
        return found.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok')
      } finally {
        file.close()
      }
    },
  }
}

/** In one transaction: without it SQLite would begin the copy anew at each commit of another process, and never end under steady writes. */
async function copied(file: Database.Database, to: string): Promise<void> {
  try {
    file.exec('begin; select count(*) from sqlite_schema')
    await file.backup(to)
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  }
}

/** Migrations go over a connection of their own, so that none that serves sees tables half made. */
async function moving<T>(path: string, work: (moves: Migrations) => Promise<T>): Promise<T> {
  const file = openWriter(path)
  try {
    // A table that others refer to can be made anew.
    file.pragma('foreign_keys = OFF')
    return await work(migrations(migrationsDatabase(file), sqliteDialect))
  } finally {
    file.close()
  }
}

/** @throws Error in one clear line */
function makeNew(copy: string): void {
  try {
    writeFileSync(copy, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new Error(`${copy} exists already. Name a file that does not.`)
    throw new Error(`Cannot make ${copy} (${message}). Name a file in a folder where this user may write.`, { cause: error })
  }
}

function closedError(): Error {
  return new Error('The storage is closed.')
}
