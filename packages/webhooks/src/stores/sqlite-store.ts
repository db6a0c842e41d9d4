import type { IdStore } from './id-store.ts'
import { createSerialQueue, type SerialQueue } from './serial-queue.ts'
import {
  EVENTS_PER_PURGE,
  PURGE_LIMIT,
  type SqlStoreOptions,
  validateSqlOptions,
} from './sql-store-options.ts'

/** The part of `better-sqlite3`'s `Database` and of `node:sqlite`'s `DatabaseSync` that the store uses. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): { run(...values: (string | number)[]): { readonly changes: number | bigint } }
}

/** By connection: two stores on one connection must not interleave their transactions. */
const queues = new WeakMap<SqliteDatabase, SerialQueue>()

/**
 * Stores ids in SQLite, in the transaction in which the handler runs: what a handler writes through its
 * `transaction`, the database itself, commits together with the id, or not at all. Events are processed one
 * at a time. Use a connection of its own: other writes through it would be part of the handler's transaction.
 * If another connection holds the write lock for longer than the busy timeout, the event fails.
 * @throws TypeError for an option that breaks a rule
 */
export function sqliteStore<Database extends SqliteDatabase>(
  database: Database,
  options: SqlStoreOptions = {},
): IdStore<Database> {
  if (typeof database?.prepare !== 'function' || typeof database.exec !== 'function')
    throw new TypeError('database must be a Database of better-sqlite3 or a DatabaseSync of node:sqlite.')
  return new SqliteStore(database, options)
}

class SqliteStore<Database extends SqliteDatabase> implements IdStore<Database> {
  readonly #database: Database
  readonly #table: string
  readonly #index: string
  readonly #retentionDays: number
  readonly #queue: SerialQueue
  #hasTable = false
  #processedCount = 0

  constructor(database: Database, options: SqlStoreOptions) {
    const { table, index, retentionDays } = validateSqlOptions(options)
    this.#database = database
    this.#table = table
    this.#index = index
    this.#retentionDays = retentionDays
    this.#queue = queues.get(database) ?? createSerialQueue()
    queues.set(database, this.#queue)
  }

  runOnce(id: string, process: (transaction: Database) => Promise<void>): Promise<boolean> {
    return this.#queue(async () => {
      this.#ensureTable()
      const isNew = await this.#transact(async () => {
        const insert = this.#database.prepare(
          `insert into ${this.#table} (id) values (?) on conflict do nothing`,
        )
        const isInserted = Number(insert.run(id).changes) === 1
        if (isInserted) await process(this.#database)
        return isInserted
      })
      if (isNew && this.#processedCount++ % EVENTS_PER_PURGE === 0) this.#purgeExpired()
      return isNew
    })
  }

  async #transact<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#database.exec('begin immediate')
    try {
      const result = await work()
      this.#database.exec('commit')
      return result
    } catch (error) {
      this.#rollback()
      throw error
    }
  }

  /** Some errors, such as a full disk, have rolled the transaction back already. */
  #rollback(): void {
    try {
      this.#database.exec('rollback')
    } catch {}
  }

  #ensureTable(): void {
    if (this.#hasTable) return
    this.#database.exec(
      `create table if not exists ${this.#table} ` +
        '(id text primary key, processed_at integer not null default (unixepoch())) without rowid; ' +
        `create index if not exists ${this.#index} on ${this.#table} (processed_at)`,
    )
    this.#hasTable = true
  }

  /** The event is committed: a failure here is left to the next purge. */
  #purgeExpired(): void {
    const purge =
      `delete from ${this.#table} where id in ` +
      `(select id from ${this.#table} where processed_at < unixepoch() - ? * 86400 limit ?)`
    try {
      this.#database.prepare(purge).run(this.#retentionDays, PURGE_LIMIT)
    } catch {}
  }
}
