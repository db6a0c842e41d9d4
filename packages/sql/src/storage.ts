import {
  type AnyShape,
  listeners,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
  type Transaction,
  type WorkspaceStores,
} from '@sales-crm/core/ports'
import type { Database } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { outboxes } from './outbox.ts'
import { type Lines, recordStores } from './record-store.ts'
import { refusingTaken, type Session } from './session.ts'
import { tableOf } from './table-shapes.ts'

type Stores = ReturnType<typeof recordStores>

/** The core's storage over any database that a driver and a dialect are given for. */
export function sqlStorage(database: Database, dialect: Dialect): Storage {
  const shared = lazily(storesOf(SHARED_SHAPES, false, dialect))
  const ofWorkspace = lazily(storesOf(SHAPES, true, dialect))
  const outboxOn = outboxes(tableOf('deliveries', SHAPES.deliveries, true), dialect)
  const woken = listeners()
  let listening = false

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

  async function transact<T>(begin: Database['transact'], work: (tx: Transaction) => Promise<T>): Promise<T> {
    let wakes = false
    const result = await refusingTaken(dialect, () =>
      begin(async (connection) => {
        const session: Session = { connection, mayWrite: true, writes: [], woken: false, over: false }
        const result = await within(session, work)
        wakes = session.woken
        return result
      }),
    )
    if (wakes) {
      woken.call()
      database.others?.wake()
    }
    return result
  }

  return {
    transact: (work) => transact((inOne) => database.transact(inOne), work),
    transactUnsynced: (work) => transact((inOne) => database.transactUnsynced(inOne), work),
    read: (work) => database.read((connection) => within({ connection, mayWrite: false, writes: [], woken: false, over: false }, work)),
    onWake(listener) {
      if (!listening) database.others?.onWake(woken.call)
      listening = true
      return woken.add(listener)
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
  return new Map(Object.entries(shapes).map(([name, shape]) => [name, recordStores(tableOf(name, shape, ofWorkspaces), dialect)]))
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
