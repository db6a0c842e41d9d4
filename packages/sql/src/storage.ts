import {
  type AnyShape,
  type ColumnKind,
  columnOf,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
  type Transaction,
  type WorkspaceStores,
} from '@sales-crm/core/ports'
import type { Database } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { outboxes } from './outbox.ts'
import type { TableShape } from './record-statements.ts'
import { type Lines, recordStores, refusingTaken, type Session } from './record-store.ts'

type Stores = ReturnType<typeof recordStores>

/** The core's storage over any database that a driver and a dialect are given for. */
export function sqlStorage(database: Database, dialect: Dialect): Storage {
  const shared = lazily(storesOf(SHARED_SHAPES, false, dialect))
  const ofWorkspace = lazily(storesOf(SHAPES, true, dialect))
  const outboxOn = outboxes(dialect)
  const listeners = new Set<() => void>()

  function transactionOn(session: Session): Transaction {
    const workspace = (workspaceId: string) => ofWorkspace({ session, workspaceId }) as unknown as WorkspaceStores
    const attempt = (part: () => Promise<unknown>) => attempted(session, part)
    const wake = () => {
      session.woken = true
    }
    const outbox = outboxOn(session)
    return Object.assign(shared({ session }), { workspace, attempt, wake, outbox }) as unknown as Transaction
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

  async function attempted<T>(session: Session, part: () => Promise<T>): Promise<T> {
    if (session.over) throw new Error('The transaction is over.')
    const { writes, connection } = session
    session.writes = []
    try {
      return await refusingTaken(dialect, () => connection.attempt(() => settled(session, part)))
    } finally {
      session.writes = writes
    }
  }

  return {
    async transact(work) {
      let woken = false
      const result = await refusingTaken(dialect, () =>
        database.transact(async (connection) => {
          const session: Session = { connection, mayWrite: true, writes: [], woken: false, over: false }
          const result = await within(session, work)
          woken = session.woken
          return result
        }),
      )
      if (woken) for (const listener of listeners) listener()
      return result
    },
    read: (work) => database.read((connection) => within({ connection, mayWrite: false, writes: [], woken: false, over: false }, work)),
    onWake(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    check: () => database.check(),
    close: () => database.close(),
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

function storesOf(shapes: Readonly<Record<string, AnyShape>>, ofWorkspaces: boolean, dialect: Dialect): ReadonlyMap<string, Stores> {
  return new Map(tablesOf(shapes, ofWorkspaces).map((table) => [table.name, recordStores(table, dialect)]))
}

function tablesOf(shapes: Readonly<Record<string, AnyShape>>, ofWorkspaces: boolean): TableShape[] {
  return Object.entries(shapes).map(([name, { columns }]) => {
    const own = Object.entries(columns).map(([column, declared]) => [column, columnOf(declared).kind] as const)
    return {
      name,
      ofWorkspaces,
      kinds: new Map<string, ColumnKind>([['id', 'uuid'], ...own, ['created_at', 'instant'], ['updated_at', 'instant']]),
    }
  })
}

/** An object that opens each store when it is first used: a transaction touches few of them. */
function lazily(stores: ReadonlyMap<string, Stores>): (lines: Lines) => object {
  const getters: PropertyDescriptorMap = {}
  for (const [name, open] of stores) {
    getters[name] = {
      get(this: { readonly lines: Lines }) {
        return open(this.lines)
      },
    }
  }
  const prototype = Object.create(null, getters)
  return (lines) => Object.assign(Object.create(prototype), { lines })
}
