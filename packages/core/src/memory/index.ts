import { type Collection, SHAPES, SHARED_SHAPES, type SharedCollection } from '../collections.ts'
import type { Storage, Transaction, WorkspaceStores } from '../ports.ts'
import { type AnyShape, recordStore, type Session } from './record-store.ts'
import { type Table, table } from './table.ts'

/** The store without a database: for tests and for programs that need no memory of their own. It keeps every promise but durability. */
export function memoryStorage(): Storage {
  const shared = new Map<string, Table>()
  const workspaces = new Map<string, Map<string, Table>>()
  let tail: Promise<unknown> = Promise.resolve()
  let closed = false

  /** One after another: what runs alone needs no locks, and reads see one moment. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(new Error('The storage is closed.'))
    const run = tail.then(work)
    tail = run.catch(() => undefined)
    return run
  }

  function transactionOn(session: Session): Transaction {
    const open = (name: string, shape: AnyShape, tables: Map<string, Table>) => {
      const find = (other: string) => tableIn(tables, other, SHAPES[other as Collection])
      return recordStore(tableIn(tables, name, shape), shape, session, find)
    }
    return {
      ...(each(SHARED_SHAPES, (name, shape) => open(name, shape, shared)) as unknown as Pick<Transaction, SharedCollection>),
      workspace(id) {
        const tables = workspaces.get(id) ?? new Map<string, Table>()
        workspaces.set(id, tables)
        return each(SHAPES, (name, shape) => open(name, shape, tables)) as unknown as WorkspaceStores
      },
    }
  }

  return {
    transact: (work) =>
      inTurn(async () => {
        const undo: (() => void)[] = []
        try {
          return await work(transactionOn({ undo, writable: true }))
        } catch (error) {
          for (const step of undo.reverse()) step()
          throw error
        }
      }),
    read: (work) => inTurn(() => work(transactionOn({ undo: [], writable: false }))),
    check: () => inTurn(async () => undefined),
    async close() {
      closed = true
      await tail
    },
  }
}

function tableIn(tables: Map<string, Table>, name: string, shape: AnyShape): Table {
  let found = tables.get(name)
  if (!found) {
    found = table([...shape.unique, ...shape.neverReused])
    tables.set(name, found)
  }
  return found
}

function each<S extends object, T>(shapes: S, make: (name: string, shape: AnyShape) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, make(name, shape as AnyShape)]))
}
