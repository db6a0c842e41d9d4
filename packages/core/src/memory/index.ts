import { type BaseStorage, type BaseTransaction, completeStorage } from '../base-storage/index.ts'
import type { AnyShape } from '../kernel/shape.ts'
import type { Storage } from '../ports/storage.ts'
import { SHAPES, SHARED_SHAPES } from '../schema/index.ts'
import { createTable, type Tables } from './table.ts'
import { TableStore, type Undo } from './table-store.ts'

/**
 * A store without a database, for tests and short-lived programs. It keeps every guarantee except durability.
 */
export function memoryStorage(): Storage {
  return completeStorage(new MemoryStorage())
}

class MemoryStorage implements BaseStorage {
  readonly #shared: Tables = new Map()
  readonly #workspaces = new Map<string, Tables>()
  #tail: Promise<unknown> = Promise.resolve()
  #isClosed = false

  transact<T>(work: (tx: BaseTransaction) => Promise<T>): Promise<T> {
    return this.#runSerially(() => {
      const undo: Undo = []
      return undoIfFailed(undo, () => work(this.#open(undo, true)))
    })
  }

  read<T>(work: (tx: BaseTransaction) => Promise<T>): Promise<T> {
    return this.#runSerially(() => work(this.#open([], false)))
  }

  check(): Promise<void> {
    return this.#runSerially(async () => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#tail
  }

  /** Transactions run one after another: they need no locks, and reads see a snapshot. */
  #runSerially<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The storage is closed.'))
    const run = this.#tail.then(work)
    this.#tail = run.catch(() => undefined)
    return run
  }

  #open(undo: Undo, isWritable: boolean): BaseTransaction {
    return {
      ...(openStores(SHARED_SHAPES, this.#shared, undo) as unknown as BaseTransaction),
      workspace: (id) => {
        const tables: Tables = this.#workspaces.get(id) ?? new Map()
        // A read does not create the workspace of an unknown id.
        if (isWritable) this.#workspaces.set(id, tables)
        return openStores(SHAPES, tables, undo) as unknown as ReturnType<BaseTransaction['workspace']>
      },
      workspaceIds: async () => [...this.#workspaces.keys()],
      savepoint: (work) => undoIfFailed(undo, work),
    }
  }
}

/** Undoes the writes of work that fails, in reverse order. */
async function undoIfFailed<T>(undo: Undo, work: () => Promise<T>): Promise<T> {
  const first = undo.length
  try {
    return await work()
  } catch (error) {
    for (const step of undo.splice(first).reverse()) step()
    throw error
  }
}

function openStores(
  shapes: Readonly<Record<string, AnyShape>>,
  tables: Tables,
  undo: Undo,
): Readonly<Record<string, TableStore>> {
  const tableOf = (name: string) => {
    const { unique, uniqueForever } = shapes[name]!
    const table = tables.get(name) ?? createTable([...unique, ...uniqueForever])
    tables.set(name, table)
    return table
  }
  const stores = Object.entries(shapes).map(([name, shape]) => [
    name,
    new TableStore(tableOf(name), shape, undo, tableOf),
  ])
  return Object.fromEntries(stores)
}
