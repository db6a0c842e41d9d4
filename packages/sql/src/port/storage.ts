import {
  type AnyShape,
  listeners,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
  type Transaction,
  type TransactOptions,
  type WorkspaceStores,
} from '@sales-crm/core/ports'
import {
  createCachedStores,
  createVersionPrefetch,
  createVersionReader,
} from '../cache/cached-settings-store.ts'
import { createSettingsCache } from '../cache/settings-cache.ts'
import type { Dialect } from '../dialect.ts'
import type { DatabaseDriver } from '../driver.ts'
import { SETTINGS, SHARED_SETTINGS } from '../settings.ts'
import { toTableShape } from '../statements/table-shape.ts'
import {
  createTransactionState,
  invalidateReads,
  type StoreScope,
  type TransactionState,
  translateUniqueViolation,
} from '../transaction-state.ts'
import { createOutboxStores } from './outbox-store.ts'
import { createRecordStores } from './record-store.ts'

type StoreFactory = ReturnType<typeof createRecordStores>

/** Implements the core's storage on a driver and a dialect. */
export function sqlStorage(driver: DatabaseDriver, dialect: Dialect): Storage {
  const settingsCache = createSettingsCache()
  const readVersion = createVersionReader(dialect)
  const openShared = openLazily(createStores(SHARED_SHAPES, false, SHARED_SETTINGS))
  const openWorkspace = openLazily(createStores(SHAPES, true, SETTINGS))
  const openOutbox = createOutboxStores(toTableShape('deliveries', SHAPES.deliveries, true), dialect)
  const localListeners = listeners()
  let isListening = false

  function createStores(
    shapes: Readonly<Record<string, AnyShape>>,
    isWorkspaceScoped: boolean,
    settings: readonly string[],
  ) {
    const createStore = (name: string, shape: AnyShape): StoreFactory => {
      const table = toTableShape(name, shape, isWorkspaceScoped)
      if (settings.includes(name))
        return createCachedStores(name, createRecordStores(table, dialect), readVersion, settingsCache)
      const hasSettingsReference = Object.values(table.foreignKeys).some((target) =>
        SETTINGS.includes(target),
      )
      return createRecordStores(
        table,
        dialect,
        hasSettingsReference && dialect.isJoinFaster ? createVersionPrefetch(readVersion) : undefined,
      )
    }
    return new Map(Object.entries(shapes).map(([name, shape]) => [name, createStore(name, shape)]))
  }

  function openTransaction(state: TransactionState): Transaction {
    const workspace = (workspaceId: string) => {
      state.workspaceId ??= workspaceId
      return openWorkspace({ state, workspaceId }) as unknown as WorkspaceStores
    }
    const savepoint = (work: () => Promise<unknown>) => runSavepoint(state, work)
    const notify = () => {
      state.isNotifyRequested = true
    }
    const outbox = openOutbox(state)
    return Object.assign(openShared({ state }), {
      workspace,
      savepoint,
      notify,
      outbox,
    }) as unknown as Transaction
  }

  async function runInTransaction<T>(
    state: TransactionState,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return settleWrites(state, async () => {
      try {
        return await work(openTransaction(state))
      } finally {
        state.isOver = true
      }
    })
  }

  async function runSavepoint<T>(state: TransactionState, work: () => Promise<T>): Promise<T> {
    if (state.isOver) throw new Error('The transaction is over.')
    const { pendingWrites, connection } = state
    state.pendingWrites = []
    try {
      return await translateUniqueViolation(dialect, () =>
        connection.savepoint(() => settleWrites(state, work)),
      )
    } finally {
      state.pendingWrites = pendingWrites
      invalidateReads(state)
    }
  }

  async function transact<T>(work: (tx: Transaction) => Promise<T>, options?: TransactOptions): Promise<T> {
    let isNotifyRequested = false
    const result = await translateUniqueViolation(dialect, () =>
      driver.transact(async (connection) => {
        const state = createTransactionState(connection, true)
        const value = await runInTransaction(state, work)
        isNotifyRequested = state.isNotifyRequested
        return value
      }, options),
    )
    if (isNotifyRequested) {
      localListeners.notify()
      driver.notifier?.notify()
    }
    return result
  }

  return {
    transact,
    read: (work, options) =>
      driver.read((connection) => runInTransaction(createTransactionState(connection, false), work), options),
    onNotify(listener) {
      if (!isListening) driver.notifier?.onNotify(localListeners.notify)
      isListening = true
      return localListeners.add(listener)
    },
    check: () => driver.check(),
    close: () => driver.close(),
  }
}

/** Throws the first write that failed, even if `work` caught its error. */
async function settleWrites<T>(state: TransactionState, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await Promise.all(state.pendingWrites)
  }
}

/** An object that creates each store on first use: a transaction uses few of them. */
function openLazily(stores: ReadonlyMap<string, StoreFactory>): (scope: StoreScope) => object {
  const getters: PropertyDescriptorMap = {}
  for (const [name, openStore] of stores) {
    getters[name] = {
      get(this: { readonly scope: StoreScope }) {
        return openStore(this.scope)
      },
    }
  }
  const prototype = Object.create(null, getters)
  return (scope) => Object.assign(Object.create(prototype), { scope })
}
