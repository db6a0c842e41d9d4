import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type BaseStorage,
  type BaseStore,
  type BaseTransaction,
  type BaseWorkspaceStores,
  completeStorage,
  type FindOptions,
  matchesCondition,
  type OwnCondition,
} from '@sales-crm/core/base-storage'
import {
  type AnyShape,
  conflict,
  type RecordBase,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
} from '@sales-crm/core/ports'

type Row = RecordBase & Readonly<Record<string, unknown>>

/** The workspace of the shared collections. */
const SHARED = ''

/** A durable store on SQLite as Node.js has it: records as JSON, the eight verbs, and nothing else. */
export function nodeSqliteStorage(file: string): Storage {
  return completeStorage(new NodeSqliteStorage(file))
}

class NodeSqliteStorage implements BaseStorage {
  readonly #database: Database
  #tail: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(file: string) {
    this.#database = new Database(file)
  }

  transact<T>(work: (tx: BaseTransaction) => Promise<T>): Promise<T> {
    return this.#runSerially(() =>
      this.#database.runPart('begin immediate', 'commit', 'rollback', () => work(this.#open())),
    )
  }

  read<T>(work: (tx: BaseTransaction) => Promise<T>): Promise<T> {
    return this.#runSerially(() =>
      this.#database.runPart('begin', 'commit', 'rollback', () => work(this.#open())),
    )
  }

  check(): Promise<void> {
    return this.read(async (tx) => void (await tx.workspaces.find([{ field: 'id', is: SHARED }])))
  }

  async close(): Promise<void> {
    const isFirst = !this.#isClosed
    this.#isClosed = true
    await this.#tail
    if (isFirst) this.#database.close()
  }

  /** There is one connection: transactions run one after the other, which is the strictest isolation. */
  #runSerially<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The storage is closed.'))
    const run = this.#tail.then(work)
    this.#tail = run.catch(() => undefined)
    return run
  }

  #open(): BaseTransaction {
    const database = this.#database
    const openStores = (workspace: string, shapes: Readonly<Record<string, AnyShape>>) =>
      Object.fromEntries(
        Object.entries(shapes).map(([name, shape]) => [
          name,
          new JsonStore(database, workspace, name, shape),
        ]),
      )
    return {
      ...(openStores(SHARED, SHARED_SHAPES) as unknown as BaseTransaction),
      workspace: (id) => openStores(id, SHAPES) as unknown as BaseWorkspaceStores,
      workspaceIds: async () => database.workspaceIds(),
      savepoint: (work) =>
        database.runPart('savepoint part', 'release part', 'rollback to part; release part', work),
    }
  }
}

/** The records of one collection in a workspace. */
class JsonStore implements BaseStore<Row> {
  readonly #database: Database
  readonly #workspace: string
  readonly #name: string
  readonly #shape: AnyShape

  constructor(database: Database, workspace: string, name: string, shape: AnyShape) {
    this.#database = database
    this.#workspace = workspace
    this.#name = name
    this.#shape = shape
  }

  async get(id: string): Promise<Row | undefined> {
    return this.#database.findLive(this.#workspace, this.#name, id)
  }

  // No other transaction runs: every record is locked.
  async getForUpdate(id: string): Promise<Row | undefined> {
    return this.get(id)
  }

  getForShare(id: string): Promise<Row | undefined> {
    return this.getForUpdate(id)
  }

  async find(where: readonly OwnCondition<Row>[], { includeDeleted = false }: FindOptions = {}) {
    const rows = this.#database.list(this.#workspace, this.#name, includeDeleted)
    return rows.filter((row) => where.every((condition) => matchesCondition(row, condition)))
  }

  async insert(row: Row): Promise<void> {
    this.#assertForeignKeys(row)
    this.#database.insert(this.#workspace, this.#name, row)
    this.#takeValues(row)
  }

  async update(row: Row): Promise<void> {
    if (!this.#database.findLive(this.#workspace, this.#name, row.id)) return
    this.#assertForeignKeys(row)
    this.#database.update(this.#workspace, this.#name, row)
    this.#database.freeValues(this.#workspace, this.#name, row.id)
    this.#takeValues(row)
  }

  async softDelete(id: string, at: string): Promise<boolean> {
    for (const field of this.#shape.unique) this.#database.freeValue(this.#workspace, this.#name, id, field)
    return this.#database.softDelete(this.#workspace, this.#name, id, at)
  }

  async hardDelete(id: string): Promise<void> {
    this.#database.hardDelete(this.#workspace, this.#name, id)
  }

  #takeValues(row: Row): void {
    for (const field of [...this.#shape.unique, ...this.#shape.uniqueForever])
      if (
        row[field] !== null &&
        !this.#database.takeValue(this.#workspace, this.#name, row.id, field, row[field])
      )
        throw conflict(field)
  }

  #assertForeignKeys(row: Row): void {
    for (const [field, collection] of Object.entries(this.#shape.foreignKeys)) {
      const id = row[field]
      if (typeof id === 'string' && !this.#database.has(this.#workspace, collection, id))
        throw new Error(`${field} refers to no record of its workspace.`)
    }
  }
}

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists records (
    workspace text, collection text, id text, deleted_at text, value text,
    primary key (workspace, collection, id)
  ) without rowid;
  create table if not exists unique_values (
    workspace text, collection text, field text, value, id text,
    primary key (workspace, collection, field, value)
  ) without rowid;
  create index if not exists values_by_record on unique_values (workspace, collection, id);
`

/** The longest wait for another process on the same file. */
const LOCK_TIMEOUT_MS = 5_000

/** The statements, each prepared once. */
class Database {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#connection = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
    this.#connection.exec(SCHEMA)
  }

  /** Runs a transaction or a savepoint. */
  async runPart<T>(begin: string, commit: string, rollback: string, work: () => Promise<T>): Promise<T> {
    this.#connection.exec(begin)
    try {
      const result = await work()
      this.#connection.exec(commit)
      return result
    } catch (error) {
      // A full disk has already rolled back.
      if (this.#connection.isTransaction) this.#connection.exec(rollback)
      throw error
    }
  }

  close(): void {
    this.#connection.close()
  }

  workspaceIds(): string[] {
    const rows = this.#prepare('select distinct workspace from records where workspace <> ?').all(SHARED)
    return rows.map(({ workspace }) => String(workspace))
  }

  findLive(workspace: string, name: string, id: string): Row | undefined {
    const sql = `select value from records where ${KEY} and deleted_at is null`
    const found = this.#prepare(sql).get(workspace, name, id)
    return found && parse(found)
  }

  has(workspace: string, name: string, id: string): boolean {
    return this.#prepare(`select 1 from records where ${KEY}`).get(workspace, name, id) !== undefined
  }

  list(workspace: string, name: string, includeDeleted: boolean): Row[] {
    const live = includeDeleted ? '' : 'and deleted_at is null'
    const sql = `select value from records where workspace = ? and collection = ? ${live}`
    return this.#prepare(sql).all(workspace, name).map(parse)
  }

  insert(workspace: string, name: string, row: Row): void {
    const sql = 'insert into records (workspace, collection, id, value) values (?, ?, ?, ?)'
    this.#prepare(sql).run(workspace, name, row.id, JSON.stringify(row))
  }

  update(workspace: string, name: string, row: Row): void {
    this.#prepare(`update records set value = ? where ${KEY}`).run(
      JSON.stringify(row),
      workspace,
      name,
      row.id,
    )
  }

  softDelete(workspace: string, name: string, id: string, at: string): boolean {
    const sql = `update records set deleted_at = ? where ${KEY} and deleted_at is null`
    return this.#prepare(sql).run(at, workspace, name, id).changes > 0
  }

  hardDelete(workspace: string, name: string, id: string): void {
    this.#prepare(`delete from records where ${KEY}`).run(workspace, name, id)
    this.freeValues(workspace, name, id)
  }

  /** Returns false if another record has the value. */
  takeValue(workspace: string, name: string, id: string, field: string, value: unknown): boolean {
    const sql =
      'insert or ignore into unique_values (workspace, collection, field, value, id) values (?, ?, ?, ?, ?)'
    return this.#prepare(sql).run(workspace, name, field, String(value), id).changes > 0
  }

  freeValue(workspace: string, name: string, id: string, field: string): void {
    this.#prepare(`delete from unique_values where ${KEY} and field = ?`).run(workspace, name, id, field)
  }

  freeValues(workspace: string, name: string, id: string): void {
    this.#prepare(`delete from unique_values where ${KEY}`).run(workspace, name, id)
  }

  #prepare(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.#connection.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

const KEY = 'workspace = ? and collection = ? and id = ?'

function parse({ value }: Readonly<Record<string, unknown>>): Row {
  return JSON.parse(String(value)) as Row
}
