import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { Transaction, WorkspaceStores } from '../ports/storage.ts'
import { type Collection, SHAPES, SHARED_SHAPES, type SharedCollection } from '../schema/index.ts'
import { BufferedStore } from './buffered-store.ts'
import { type FacetCollection, InsertBuffer } from './insert-buffer.ts'
import { RememberedReads } from './remembered-reads.ts'

/** Collections that writes of records read again and again. */
const REMEMBERED: ReadonlySet<string> = new Set([
  'custom_fields',
  'grants',
  'lists',
  'lost_reasons',
  'members',
  'pipelines',
  'stages',
  'tags',
  'task_types',
  'teams',
  'views',
  'webhooks',
])
const REMEMBERED_SHARED = ['users', 'workspaces'] as const

interface OwnMembers extends Omit<Transaction, SharedCollection> {
  readonly inner: Transaction
  readonly remembered: Readonly<Partial<Record<SharedCollection, unknown>>>
}

/** The shared stores of every buffered transaction: one prototype, so that calls on any of them are optimized. */
const SHARED_GETTERS = Object.create(
  null,
  Object.fromEntries(
    (Object.keys(SHARED_SHAPES) as SharedCollection[]).map((name) => [
      name,
      {
        get(this: OwnMembers) {
          return this.remembered[name] ?? this.inner[name]
        },
      },
    ]),
  ),
)

/**
 * A transaction for many writes of records in one workspace: the new records of a kind are inserted by one statement, and
 * settings are read once. A unique value that is taken is found by the end of `flush` at the latest.
 */
export class BufferedTransaction {
  /** For use-cases, in place of the transaction. One of them runs at a time. */
  readonly tx: Transaction
  readonly #inner: Transaction
  readonly #buffer: InsertBuffer
  readonly #remembered: RememberedReads<RecordBase>[] = []
  #locks = new Map<string, Promise<void>>()
  #writes = 0

  constructor(inner: Transaction, workspaceId: string) {
    const stores = inner.workspace(workspaceId)
    this.#inner = inner
    this.#buffer = new InsertBuffer(stores)
    const wrapped = this.#wrapStores(stores)
    const shared = REMEMBERED_SHARED.map((name) => [name, this.#remember(inner[name])])
    const own: OwnMembers = {
      inner,
      remembered: Object.fromEntries(shared),
      outbox: inner.outbox,
      workspace: (id) => (id === workspaceId ? wrapped : inner.workspace(id)),
      measureWorkspace: async (id) => {
        await this.flush()
        return inner.measureWorkspace(id)
      },
      lock: (key) => this.#lock(key),
      savepoint: (work) => this.#savepoint(work),
      notify: () => inner.notify(),
    }
    this.tx = Object.assign(Object.create(SHARED_GETTERS), own)
  }

  /** Number of calls that write. It tells whether work that failed has written anything. */
  get writes(): number {
    return this.#writes
  }

  /** Inserts the records. @throws CrmError `conflict` for a unique value that is taken */
  flush(): Promise<void> {
    return this.#buffer.flush()
  }

  /** Reads which of the facets no record of the collection has. They are then looked for in the buffer alone. */
  lookUpFacets(collection: FacetCollection, facets: readonly string[]): Promise<void> {
    return this.#buffer.lookUpFacets(collection, facets)
  }

  #wrapStores(stores: WorkspaceStores): WorkspaceStores {
    const onWrite = () => {
      this.#writes += 1
    }
    const entries = (Object.keys(SHAPES) as Collection[]).map((name) => [
      name,
      REMEMBERED.has(name)
        ? this.#remember(stores[name])
        : new BufferedStore(name, stores[name] as unknown as RecordStore<RecordBase>, this.#buffer, onWrite),
    ])
    return Object.fromEntries(entries) as WorkspaceStores
  }

  #remember(store: unknown): RememberedReads<RecordBase> {
    const remembered = new RememberedReads(store as RecordStore<RecordBase>, () => {
      this.#writes += 1
    })
    this.#remembered.push(remembered)
    return remembered
  }

  /** A lock is held until the end of the transaction. */
  #lock(key: string): Promise<void> {
    const lock = this.#locks.get(key) ?? this.#inner.lock(key)
    this.#locks.set(key, lock)
    return lock
  }

  async #savepoint<T>(work: () => Promise<T>): Promise<T> {
    await this.flush()
    const locks = new Map(this.#locks)
    try {
      return await this.#inner.savepoint(async () => {
        const result = await work()
        await this.flush()
        return result
      })
    } catch (error) {
      // The locks since then are released with the writes.
      this.#locks = locks
      this.#buffer.discard()
      for (const reads of this.#remembered) reads.forget()
      throw error
    }
  }
}
