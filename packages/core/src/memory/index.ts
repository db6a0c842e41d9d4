import type { Collection, SharedCollection } from '../kernel/collections.ts'
import { listeners } from '../kernel/listeners.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { AnyShape } from '../kernel/shape.ts'
import type { Storage, Transaction, WorkspaceStores } from '../ports/storage.ts'
import { type Records, SHAPES, SHARED_SHAPES } from '../schema/index.ts'
import { memoryOutbox } from './outbox-store.ts'
import { assertOpen, assertWritable, recordStore, type TransactionState } from './record-store.ts'
import { createTable, type Table } from './table.ts'

/**
 * A store without a database, for tests and short-lived programs. It keeps every guarantee except durability.
 */
export function memoryStorage(): Storage {
  const shared = new Map<string, Table>()
  const workspaces = new Map<string, Map<string, Table>>()
  let tail: Promise<unknown> = Promise.resolve()
  const commitListeners = listeners()
  let isClosed = false

  /** Transactions run one after another: they need no locks, and reads see a snapshot. */
  function runSerially<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(new Error('The storage is closed.'))
    const run = tail.then(work)
    tail = run.catch(() => undefined)
    return run
  }

  function createTransaction(session: TransactionState): Transaction {
    const openStore = (name: string, shape: AnyShape, tables: Map<string, Table>) => {
      const findTable = (collection: Collection) => getTable(tables, collection, SHAPES[collection])
      return recordStore(getTable(tables, name, shape), shape, session, findTable)
    }
    return {
      ...(mapShapes(SHARED_SHAPES, (name, shape) => openStore(name, shape, shared)) as unknown as Pick<
        Transaction,
        SharedCollection
      >),
      workspace(id) {
        const tables = workspaces.get(id) ?? new Map<string, Table>()
        // A read does not create the workspace of an unknown id.
        if (session.isWritable) workspaces.set(id, tables)
        return mapShapes(SHAPES, (name, shape) =>
          openStore(name, shape, tables),
        ) as unknown as WorkspaceStores
      },
      outbox: memoryOutbox(
        () =>
          [...workspaces].map(([workspace_id, tables]) => {
            const access = <C extends Collection>(name: C) => ({
              table: getTable(tables, name, SHAPES[name]),
              store: openStore(name, SHAPES[name], tables) as unknown as RecordStore<Records[C]>,
            })
            return {
              workspace_id,
              deliveries: access('deliveries'),
              snapshots: access('snapshots'),
              webhooks: access('webhooks'),
            }
          }),
        { assertOpen: () => assertOpen(session), assertWritable: () => assertWritable(session) },
      ),
      notify() {
        session.isNotifyRequested = true
      },
      savepoint: (work) => savepoint(session, work),
    }
  }

  async function runWork<T>(session: TransactionState, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return awaitWrites(session, async () => {
      try {
        return await work(createTransaction(session))
      } finally {
        session.isOver = true
      }
    })
  }

  async function savepoint<T>(session: TransactionState, work: () => Promise<T>): Promise<T> {
    if (session.isOver) throw new Error('The transaction is over.')
    const { writes, undo } = session
    const before = undo.length
    session.writes = []
    try {
      return await awaitWrites(session, work)
    } catch (error) {
      for (const step of undo.splice(before).reverse()) step()
      throw error
    } finally {
      session.writes = writes
    }
  }

  function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runSerially(async () => {
      const session: TransactionState = {
        undo: [],
        writes: [],
        isWritable: true,
        isNotifyRequested: false,
        isOver: false,
      }
      try {
        const result = await runWork(session, work)
        if (session.isNotifyRequested) commitListeners.notify()
        return result
      } catch (error) {
        for (const step of session.undo.reverse()) step()
        throw error
      }
    })
  }

  function read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runSerially(() =>
      runWork({ undo: [], writes: [], isWritable: false, isNotifyRequested: false, isOver: false }, work),
    )
  }

  return {
    transact,
    read,
    onNotify: (listener) => commitListeners.add(listener),
    check: () => runSerially(async () => undefined),
    async close() {
      isClosed = true
      await tail
    },
  }
}

/** Throws the first write that failed, even if `work` caught its error. */
async function awaitWrites<T>(session: TransactionState, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await Promise.all(session.writes)
  }
}

function getTable(tables: Map<string, Table>, name: string, shape: AnyShape): Table {
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
