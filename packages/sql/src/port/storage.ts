import { TransactionContext } from '@sales-crm/core/base-storage'
import {
  type AnyShape,
  listeners,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
  type Transaction,
  type TransactOptions,
} from '@sales-crm/core/ports'
import {
  createCachedStores,
  createVersionPrefetch,
  createVersionReader,
} from '../cache/cached-settings-store.ts'
import { createSettingsCache } from '../cache/settings-cache.ts'
import type { Dialect } from '../dialect.ts'
import type { DatabaseDriver } from '../driver.ts'
import { SETTINGS, SHARED_SETTINGS } from '../settings-collections.ts'
import { type TableShape, toTableShape } from '../statements/table-shape.ts'
import {
  createTransactionState,
  invalidateReads,
  type StoreScope,
  type TransactionState,
  translateUniqueViolation,
} from '../transaction-state.ts'
import { createKeyLock } from './key-lock.ts'
import { createOutboxStores } from './outbox-store.ts'
import { createRecordStores } from './record-store.ts'
import { createWorkspaceMeasure } from './workspace-measure.ts'

type StoreFactory = ReturnType<typeof createRecordStores>

/** Implements the core's storage on a driver and a dialect. */
export function sqlStorage(driver: DatabaseDriver, dialect: Dialect): Storage {
  const transactions = new SqlTransactions(dialect)
  const context = new TransactionContext()
  const localListeners = listeners()
  let isListening = false

  async function transact<T>(work: (tx: Transaction) => Promise<T>, options?: TransactOptions): Promise<T> {
    context.assertNotNested()
    let isNotifyRequested = false
    const result = await translateUniqueViolation(dialect, () =>
      driver.transact(async (connection) => {
        const state = createTransactionState(connection, { isWritable: true })
        const value = await context.run(() => transactions.run(state, work))
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
    async read(work, options) {
      context.assertNotNested()
      const kind = { isStatementIsolated: options?.isolation === 'statement' }
      return driver.read(
        (connection) => context.run(() => transactions.run(createTransactionState(connection, kind), work)),
        options,
      )
    },
    onNotify(listener) {
      if (!isListening) driver.notifier?.onNotify(localListeners.notify)
      isListening = true
      return localListeners.add(listener)
    },
    check: () => driver.check(),
    close: () => driver.close(),
  }
}

/** Runs work with the stores of a transaction. */
class SqlTransactions {
  readonly #dialect: Dialect
  readonly #openShared: (scope: StoreScope) => object
  readonly #openWorkspace: (scope: StoreScope) => object
  readonly #openOutbox: ReturnType<typeof createOutboxStores>
  readonly #measureWorkspace: ReturnType<typeof createWorkspaceMeasure>
  readonly #lockKey: ReturnType<typeof createKeyLock>

  constructor(dialect: Dialect) {
    const createStores = createStoreFactories(dialect)
    this.#dialect = dialect
    this.#openShared = openLazily(createStores(SHARED_SHAPES, false, SHARED_SETTINGS))
    this.#openWorkspace = openLazily(createStores(SHAPES, true, SETTINGS))
    this.#measureWorkspace = createWorkspaceMeasure(dialect)
    this.#lockKey = createKeyLock(dialect)
    this.#openOutbox = createOutboxStores(toTableShape('deliveries', SHAPES.deliveries, true), dialect)
  }

  run<T>(state: TransactionState, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return state.guard.run(() => work(this.#open(state)))
  }

  #open(state: TransactionState): Transaction {
    const workspace = (workspaceId: string) => {
      state.workspaceId ??= workspaceId
      return this.#openWorkspace({ state, workspaceId })
    }
    const notify = () => {
      state.isNotifyRequested = true
    }
    const savepoint = (work: () => Promise<unknown>) => this.#runSavepoint(state, work)
    const outbox = this.#openOutbox(state)
    return Object.assign(this.#openShared({ state }), {
      workspace,
      savepoint,
      lock: (key: string) => this.#lockKey(state, key),
      notify,
      outbox,
      measureWorkspace: (workspaceId: string) => this.#measureWorkspace(state, workspaceId),
    }) as unknown as Transaction
  }

  async #runSavepoint<T>(state: TransactionState, work: () => Promise<T>): Promise<T> {
    const { guard, connection } = state
    try {
      return await guard.savepoint(
        (part) => translateUniqueViolation(this.#dialect, () => connection.savepoint(part)),
        work,
      )
    } finally {
      state.lockedRecords.clear()
      invalidateReads(state)
    }
  }
}

/** Creates the store factories of collections. Those of settings share one cache. */
function createStoreFactories(dialect: Dialect) {
  const settingsCache = createSettingsCache()
  const readVersion = createVersionReader(dialect)

  const createFactory = (table: TableShape, isSettings: boolean): StoreFactory => {
    if (isSettings)
      return createCachedStores(table.name, createRecordStores(table, dialect), readVersion, settingsCache)
    const hasSettingsReference = Object.values(table.foreignKeys).some((target) => SETTINGS.includes(target))
    const isPrefetched = hasSettingsReference && dialect.isJoinFaster
    return createRecordStores(table, dialect, isPrefetched ? createVersionPrefetch(readVersion) : undefined)
  }

  return (
    shapes: Readonly<Record<string, AnyShape>>,
    isWorkspaceScoped: boolean,
    settings: readonly string[],
  ): ReadonlyMap<string, StoreFactory> =>
    new Map(
      Object.entries(shapes).map(([name, shape]) => [
        name,
        createFactory(toTableShape(name, shape, isWorkspaceScoped), settings.includes(name)),
      ]),
    )
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
