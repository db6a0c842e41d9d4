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
import { recordStores, type StoreScope } from './record-store.ts'
import { forget, refusingTaken, type Session, sessionOn } from './session.ts'
import { SETTINGS, SHARED_SETTINGS, settingsMemory } from './settings.ts'
import { foreseeing, rememberingStores, settingsVersions } from './settings-store.ts'
import { tableOf } from './table-shapes.ts'

type Stores = ReturnType<typeof recordStores>

/** The core's storage over any database that a driver and a dialect are given for. */
export function sqlStorage(database: Database, dialect: Dialect): Storage {
  const memory = settingsMemory()
  const versionOf = settingsVersions(dialect)
  const shared = lazily(storesOf(SHARED_SHAPES, false, SHARED_SETTINGS))
  const ofWorkspace = lazily(storesOf(SHAPES, true, SETTINGS))
  const outboxOn = outboxes(tableOf('deliveries', SHAPES.deliveries, true), dialect)
  const woken = listeners()
  let listening = false

  function storesOf(shapes: Readonly<Record<string, AnyShape>>, ofWorkspaces: boolean, settings: readonly string[]) {
    const open = (name: string, shape: AnyShape): Stores => {
      const table = tableOf(name, shape, ofWorkspaces)
      if (settings.includes(name)) return rememberingStores(name, recordStores(table, dialect), versionOf, memory)
      const showsSettings = Object.values(table.refersTo).some((other) => SETTINGS.includes(other))
      return recordStores(table, dialect, showsSettings && dialect.readsAlong ? foreseeing(versionOf) : undefined)
    }
    return new Map(Object.entries(shapes).map(([name, shape]) => [name, open(name, shape)]))
  }

  function transactionOn(session: Session): Transaction {
    const workspace = (workspaceId: string) => {
      session.workspaceId ??= workspaceId
      return ofWorkspace({ session, workspaceId }) as unknown as WorkspaceStores
    }
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
      forget(session)
    }
  }

  async function transact<T>(begin: Database['transact'], work: (tx: Transaction) => Promise<T>): Promise<T> {
    let wakes = false
    const result = await refusingTaken(dialect, () =>
      begin(async (connection) => {
        const session = sessionOn(connection, true)
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
    read: (work) => database.read((connection) => within(sessionOn(connection, false), work)),
    glance: (work) => database.glance((connection) => within(sessionOn(connection, false), work)),
    survey: (work) => database.survey((connection) => within(sessionOn(connection, false), work)),
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

/** An object that opens each store when it is first used: a transaction touches few of them. */
function lazily(stores: ReadonlyMap<string, Stores>): (scope: StoreScope) => object {
  const getters: PropertyDescriptorMap = {}
  for (const [name, open] of stores) {
    getters[name] = {
      get(this: { readonly scope: StoreScope }) {
        return open(this.scope)
      },
    }
  }
  const prototype = Object.create(null, getters)
  return (scope) => Object.assign(Object.create(prototype), { scope })
}
