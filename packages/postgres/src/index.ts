import type { Storage } from '@sales-crm/core/ports'
import { type Migrations, migrations, sqlStorage, type Tables } from '@sales-crm/sql'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { postgresDialect } from './dialect.ts'
import { fewAtOnce } from './few-at-once.ts'
import { type PostgresGate, postgresGate } from './gate.ts'
import { forGroups } from './group-commit.ts'
import { lateTransactions } from './late-begin.ts'
import type { PoolOptions } from './options.ts'
import { ownLine } from './own-line.ts'
import { makePool, patientPool } from './pool.ts'
import { again, glancesOver, transactionsOver } from './transactions.ts'
import { wakingOver } from './waking.ts'

export type { PoolOptions } from './options.ts'

/** Asked with a deadline of its own: whoever asks whether the service is ready does not wait long. */
const READ_ONLY = { text: 'show transaction_read_only', query_timeout: 3000 }

/** Each holds a connection of the pool for as long as it takes. */
const MOST_SURVEYS = 3

export interface PostgresStorage extends Storage, Migrations {
  /** Grants and rate windows that all processes on this database share. */
  readonly gate: PostgresGate
  /** `PostgreSQL 18.4` */
  version(): Promise<string>
}

/**
 * Opens a database. Its tables are brought up to date unless `migrate` is false; of several processes that start at once, one
 * does it and the others wait.
 */
export async function postgresStorage(options: PoolOptions & { readonly migrate?: boolean }): Promise<PostgresStorage> {
  const pool = makePool(options)
  const { pending } = movesOver(pool)
  const gate = postgresGate(options)
  const glances = ownLine(options)
  const groups = ownLine(options, forGroups, process.nextTick)
  // Behind a pooler no session is ours to listen in: who waits there looks for itself.
  const others = options.prepared === false ? undefined : wakingOver(pool, options)
  const fewSurveys = fewAtOnce(MOST_SURVEYS)
  let running = 0
  let closing: Promise<void> | undefined
  const rest = Promise.withResolvers<void>()

  /** The pool gives up on those that wait for a connection when it is ended: so it is ended when nobody does. */
  async function counted<T>(run: () => Promise<T>): Promise<T> {
    if (closing) throw new Error('The storage is closed.')
    running += 1
    try {
      return await run()
    } finally {
      running -= 1
      if (closing && running === 0) rest.resolve()
    }
  }

  async function close(): Promise<void> {
    if (running > 0) await rest.promise
    await others?.close()
    await Promise.all([gate.close(), glances.close(), groups.close(), pool.end()])
  }

  try {
    if (options.migrate !== false && (await pending()).length > 0) await migrate(options)
  } catch (error) {
    await close()
    throw error
  }

  const direct = transactionsOver(pool, options.prepared !== false)
  const { transactUnsynced, read } = direct
  // What a session is told once must be told each transaction behind a pooler.
  const [transact, glance] =
    options.prepared === false ? [direct.transact, read] : [lateTransactions(direct, glances, groups), glancesOver(glances)]
  const storage = sqlStorage(
    {
      transact: (work) => counted(() => transact(work)),
      transactUnsynced: (work) => counted(() => transactUnsynced(work)),
      read: (work) => counted(() => read(work)),
      glance: (work) => counted(() => glance(work)),
      survey: (work) => counted(() => fewSurveys(() => read(work))),
      ...(others && { others }),
      async check() {
        const { rows } = await counted(() => pool.query<{ transaction_read_only: string }>(READ_ONLY))
        if (rows[0]?.transaction_read_only === 'on') throw new Error('The database takes no writes.')
        const lacking = await counted(pending)
        if (lacking.length > 0) throw new Error(`The database lacks ${lacking.join(', ')}. Run the migrate command.`)
      },
      close() {
        closing ??= close()
        return closing
      },
    },
    postgresDialect,
  )
  return {
    ...storage,
    migrate: () => counted(() => migrate(options)),
    pending: () => counted(pending),
    gate,
    async version() {
      const { rows } = await counted(() => pool.query<{ version: string }>("select current_setting('server_version') as version"))
      return `PostgreSQL ${rows[0]!.version}`
    },
  }
}

function movesOver(pool: Pool): Migrations {
  return migrations(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), postgresDialect)
}

async function migrate(options: PoolOptions): Promise<string[]> {
  const pool = patientPool(options)
  try {
    return await again(() => movesOver(pool).migrate())
  } finally {
    await pool.end()
  }
}
