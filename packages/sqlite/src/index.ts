import { existsSync } from 'node:fs'
import type { Storage } from '@sales-crm/core/ports'
import { type Connection, type Migrations, migrations, sqlStorage } from '@sales-crm/sql'
import { connectionTo } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { groupCommit } from './group-commit.ts'
import { inTurn } from './in-turn.ts'
import { migrationsDatabase } from './migrations-database.ts'
import { openFile } from './open-file.ts'

export { holdForServing } from './serving-lock.ts'

export interface SqliteStorage extends Storage, Migrations {
  /** An online, consistent copy. @throws Error when `to` exists */
  backup(to: string): Promise<void>
  /** What `pragma quick_check` finds wrong: empty for a sound file. */
  faults(): string[]
}

/**
 * Opens a file, made when it is not there, in WAL mode with `synchronous=FULL`: what is acknowledged survives a power cut.
 * Its tables are brought up to date unless `migrate` is false.
 * @throws Error in one clear line for a file that is damaged, too new, or no database
 */
export async function sqliteStorage(options: { readonly file: string; readonly migrate?: boolean }): Promise<SqliteStorage> {
  const writer = openFile(options.file, { readonly: false })
  const moves = migrations(migrationsDatabase(writer), sqliteDialect)
  try {
    if ((await moves.pending()).length > 0 && options.migrate !== false) await moves.migrate()
  } catch (error) {
    writer.close()
    throw error
  }
  const reader = openFile(options.file, { readonly: true })
  const group = groupCommit(writer, connectionTo(writer))
  const readInTurn = inTurn()
  const readLine = connectionTo(reader)
  const [begin, end] = [reader.prepare('begin'), reader.prepare('commit')]
  let closed = false

  async function readWith<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    begin.run()
    try {
      return await work(readLine)
    } finally {
      if (reader.inTransaction) end.run()
    }
  }

  const storage = sqlStorage(
    {
      transact: (work) => (closed ? Promise.reject(closedError()) : group.transact(work)),
      read: (work) => (closed ? Promise.reject(closedError()) : readInTurn(() => readWith(work))),
      async check() {
        if (closed) throw closedError()
        if (!existsSync(options.file)) throw new Error(`The database ${options.file} is gone.`)
        const pending = await moves.pending()
        if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}.`)
      },
      async close() {
        if (closed) return
        closed = true
        await Promise.all([group.idle(), readInTurn(async () => undefined)])
        reader.close()
        writer.close()
      },
    },
    sqliteDialect,
  )

  return {
    ...storage,
    ...moves,
    async backup(to) {
      if (existsSync(to)) throw new Error(`${to} exists already. Name a file that does not.`)
      await reader.backup(to)
    },
    faults() {
      const found = reader.pragma('quick_check') as { quick_check: string }[]
      return found.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok')
    },
  }
}

function closedError(): Error {
  return new Error('The storage is closed.')
}
