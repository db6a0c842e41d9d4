import type { Storage } from '@sales-crm/core/ports'
import { type Migrations, migrations, sqlStorage, type Tables } from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import { postgresDialect } from './dialect.ts'
import { type PostgresGate, postgresGate } from './gate.ts'
import { makePool, type PoolOptions } from './pool.ts'
import { transactionsOver } from './transactions.ts'

export interface PostgresStorage extends Storage, Migrations {
  /** Grants and rate windows that all processes on this database share. */
  readonly gate: PostgresGate
}

/**
 * Opens a database. Its tables are brought up to date unless `migrate` is false; of several processes that start at once, one
 * does it and the others wait.
 */
export async function postgresStorage(options: PoolOptions & { readonly migrate?: boolean }): Promise<PostgresStorage> {
  const pool = makePool(options)
  const moves = migrations(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), postgresDialect)
  const gate = postgresGate(options)
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await Promise.all([gate.close(), pool.end()])
  }

  try {
    if (options.migrate !== false && (await moves.pending()).length > 0) await moves.migrate()
  } catch (error) {
    await close()
    throw error
  }

  const storage = sqlStorage(
    {
      ...transactionsOver(pool, options.prepared !== false),
      async check() {
        const pending = await moves.pending()
        if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}.`)
      },
      close() {
        closing ??= close()
        return closing
      },
    },
    postgresDialect,
  )
  return { ...storage, ...moves, gate }
}
