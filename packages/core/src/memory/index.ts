import type { Collection, SharedCollection } from '../kernel/collections.ts'
import { listeners } from '../kernel/listeners.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { AnyShape } from '../kernel/shape.ts'
import type { Storage, Transaction, WorkspaceStores } from '../ports/storage.ts'
import { type Records, SHAPES, SHARED_SHAPES } from '../schema/index.ts'
import { memoryOutbox } from './outbox-store.ts'
import { assertOpen, assertWritable, recordStore, type TransactionState } from './record-store.ts'
import { createTable, type Table } from './table.ts'
import { measureTables } from './workspace-size.ts'

/**
 * A store without a database, for tests and short-lived programs. It keeps every guarantee except durability.
 */
export function memoryStorage(): Storage {
  const transactions = new MemoryTransactions()
  const commitListeners = listeners()
  let tail: Promise<unknown> = Promise.resolve()
  let isClosed = false

  /** Transactions run one after another: they need no locks, and reads see a snapshot. */
  function runSerially<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(new Error('The storage is closed.'))
    const run = tail.then(work)
    tail = run.catch(() => undefined)
    return run
  }

  function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runSerially(async () => {
      const state = createTransactionState(true)
      try {
        const result = await transactions.run(state, work)
        if (state.isNotifyRequested) commitListeners.notify()
        return result
      } catch (error) {
        undoWrites(state, 0)
        throw error
      }
    })
  }

  return {
    transact,
    read: (work) => runSerially(() => transactions.run(createTransactionState(false), work)),
    onNotify: (listener) => commitListeners.add(listener),
    check: () => runSerially(async () => undefined),
    async close() {
      isClosed = true
      await tail
    },
  }
}

type Tables = Map<string, Table>

/** Holds the tables, and runs work with their stores. */
class MemoryTransactions {
  readonly #shared: Tables = new Map()
  readonly #workspaces = new Map<string, Tables>()

  run<T>(state: TransactionState, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return awaitWrites(state, async () => {
      try {
        return await work(this.#open(state))
      } finally {
        state.isOver = true
      }
    })
  }

  #open(state: TransactionState): Transaction {
    const shared = mapShapes(SHARED_SHAPES, (name, shape) => openStore(state, this.#shared, name, shape))
    return {
      ...(shared as unknown as Pick<Transaction, SharedCollection>),
      workspace: (id) => {
        const tables = this.#workspaces.get(id) ?? new Map<string, Table>()
        // A read does not create the workspace of an unknown id.
        if (state.isWritable) this.#workspaces.set(id, tables)
        return mapShapes(SHAPES, (name, shape) =>
          openStore(state, tables, name, shape),
        ) as unknown as WorkspaceStores
      },
      outbox: memoryOutbox(() => this.#listOutboxTables(state), {
        assertOpen: () => assertOpen(state),
        assertWritable: () => assertWritable(state),
      }),
      measureWorkspace: async (id) => {
        assertOpen(state)
        return measureTables(this.#workspaces.get(id) ?? new Map())
      },
      notify() {
        state.isNotifyRequested = true
      },
      savepoint: (work) => runSavepoint(state, work),
    }
  }

  #listOutboxTables(state: TransactionState) {
    return [...this.#workspaces].map(([workspace_id, tables]) => {
      const access = <C extends Collection>(name: C) => ({
        table: getTable(tables, name, SHAPES[name]),
        store: openStore(state, tables, name, SHAPES[name]) as unknown as RecordStore<Records[C]>,
      })
      return {
        workspace_id,
        deliveries: access('deliveries'),
        snapshots: access('snapshots'),
        webhooks: access('webhooks'),
      }
    })
  }
}

function openStore(state: TransactionState, tables: Tables, name: string, shape: AnyShape) {
  const findTable = (collection: Collection) => getTable(tables, collection, SHAPES[collection])
  return recordStore(getTable(tables, name, shape), shape, state, findTable)
}

function createTransactionState(isWritable: boolean): TransactionState {
  return { undo: [], writes: [], isWritable, isNotifyRequested: false, isOver: false }
}

async function runSavepoint<T>(state: TransactionState, work: () => Promise<T>): Promise<T> {
  if (state.isOver) throw new Error('The transaction is over.')
  const { writes, undo } = state
  const firstUndo = undo.length
  state.writes = []
  try {
    return await awaitWrites(state, work)
  } catch (error) {
    undoWrites(state, firstUndo)
    throw error
  } finally {
    state.writes = writes
  }
}

/** Undoes the writes from the given one on, in reverse order. */
function undoWrites({ undo }: TransactionState, first: number): void {
  for (const step of undo.splice(first).reverse()) step()
}

/** Throws the first write that failed, even if `work` caught its error. */
async function awaitWrites<T>(state: TransactionState, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await Promise.all(state.writes)
  }
}

function getTable(tables: Tables, name: string, shape: AnyShape): Table {
  let existing = tables.get(name)
  if (!existing) {
    existing = createTable([...shape.unique, ...shape.uniqueForever])
    tables.set(name, existing)
  }
  return existing
}

function mapShapes<T>(
  shapes: Readonly<Record<string, AnyShape>>,
  build: (name: string, shape: AnyShape) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, build(name, shape)]))
}
