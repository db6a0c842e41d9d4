import { type AnyShape, type Collection, type Records, SHAPES, SHARED_SHAPES, type SharedCollection } from '../collections.ts'
import { listeners } from '../listeners.ts'
import type { RecordStore, Storage, Transaction, WorkspaceStores } from '../ports.ts'
import { memoryOutbox } from './outbox.ts'
import { mayWrite, mustLast, recordStore, type Session } from './record-store.ts'
import { type Table, table } from './table.ts'

/** The store without a database: for tests and for programs that need no memory of their own. It keeps every promise but durability. */
export function memoryStorage(): Storage {
  const shared = new Map<string, Table>()
  const workspaces = new Map<string, Map<string, Table>>()
  let tail: Promise<unknown> = Promise.resolve()
  const woken = listeners()
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
      const find = (other: Collection) => tableIn(tables, other, SHAPES[other])
      return recordStore(tableIn(tables, name, shape), shape, session, find)
    }
    return {
      ...(each(SHARED_SHAPES, (name, shape) => open(name, shape, shared)) as unknown as Pick<Transaction, SharedCollection>),
      workspace(id) {
        const tables = workspaces.get(id) ?? new Map<string, Table>()
        // Whoever only reads leaves no trace of the ids it asked for.
        if (session.writable) workspaces.set(id, tables)
        return each(SHAPES, (name, shape) => open(name, shape, tables)) as unknown as WorkspaceStores
      },
      outbox: memoryOutbox(
        () =>
          [...workspaces].map(([workspace_id, tables]) => {
            const kept = <C extends Collection>(name: C) => ({
              table: tableIn(tables, name, SHAPES[name]),
              store: open(name, SHAPES[name], tables) as unknown as RecordStore<Records[C]>,
            })
            return { workspace_id, deliveries: kept('deliveries'), snapshots: kept('snapshots'), webhooks: kept('webhooks') }
          }),
        { mustLast: () => mustLast(session), mayWrite: () => mayWrite(session) },
      ),
      wake() {
        session.woken = true
      },
      attempt: (part) => attempt(session, part),
    }
  }

  async function within<T>(session: Session, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return settled(session, async () => {
      try {
        return await work(transactionOn(session))
      } finally {
        session.over = true
      }
    })
  }

  async function attempt<T>(session: Session, part: () => Promise<T>): Promise<T> {
    if (session.over) throw new Error('The transaction is over.')
    const { writes, undo } = session
    const before = undo.length
    session.writes = []
    try {
      return await settled(session, part)
    } catch (error) {
      for (const step of undo.splice(before).reverse()) step()
      throw error
    } finally {
      session.writes = writes
    }
  }

  function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTurn(async () => {
      const session: Session = { undo: [], writes: [], writable: true, woken: false, over: false }
      try {
        const result = await within(session, work)
        if (session.woken) woken.call()
        return result
      } catch (error) {
        for (const step of session.undo.reverse()) step()
        throw error
      }
    })
  }

  function read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTurn(() => within({ undo: [], writes: [], writable: false, woken: false, over: false }, work))
  }

  return {
    transact,
    transactUnsynced: transact,
    read,
    glance: read,
    survey: read,
    onWake: (listener) => woken.add(listener),
    check: () => inTurn(async () => undefined),
    async close() {
      closed = true
      await tail
    },
  }
}

/** The first write that failed is what is thrown, whatever `work` made of it. */
async function settled<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await Promise.all(session.writes)
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

function each<T>(shapes: Readonly<Record<string, AnyShape>>, make: (name: string, shape: AnyShape) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, make(name, shape)]))
}
