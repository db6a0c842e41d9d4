import {
  type BaseStorage,
  type BaseStore,
  type BaseTransaction,
  type BaseWorkspaceStores,
  completeStorage,
  createMatcher,
  type FindOptions,
  type OwnCondition,
} from '@sales-crm/core/base-storage'
import {
  type AnyShape,
  conflict,
  type ScanQuery,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
} from '@sales-crm/core/ports'
import { Database, type Row, SHARED } from './database.ts'

/** A durable store on SQLite as Node.js has it: records as JSON, the nine verbs, and nothing else. */
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
    return this.#database.list(this.#workspace, this.#name, includeDeleted).filter(createMatcher(where))
  }

  async scan({ state, after, limit }: ScanQuery) {
    return this.#database.scan(this.#workspace, this.#name, state, after ?? '', limit)
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
