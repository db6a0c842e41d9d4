import { memoryStorage } from '@sales-crm/core/memory'
import { type Storage, type Transaction, toCollection } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/collections.ts'
import { alterStorage, type StoreLocation } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

type RowCache = Map<string, Row | undefined>

export const REPEATED_READ_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A transaction sees its own changes',
    breakage: 'rows are cached per transaction and never invalidated',
    noticedBy: 'repeated reads: tasks: a transaction sees its own change to a record it has read',
    open() {
      const caches = new WeakMap<Transaction, RowCache>()
      return alterStorage((store, { tx }) => cacheReads(store, cacheOf(caches, tx)))
    },
  },
  {
    guarantee: 'A transaction sees changes committed before it',
    breakage: 'settings are cached forever',
    noticedBy: 'repeated reads: pipelines: a transaction sees a change committed since the last read',
    open() {
      const cache: RowCache = new Map()
      return alterStorage((store, { spec, workspace }) =>
        spec.name === 'pipelines' && workspace ? cacheReads(store, cache) : {},
      )
    },
  },
  {
    guarantee: 'A failed savepoint leaves no trace',
    breakage: 'rows read in a failed savepoint stay cached',
    noticedBy: 'repeated reads: deals: a change in a failed savepoint is no longer visible',
    open() {
      const caches = new WeakMap<Transaction, RowCache>()
      return alterStorage((store, { tx }) => invalidateChanged(store, cacheOf(caches, tx)))
    },
  },
  {
    guarantee: 'References read after a record are current',
    breakage: 'the references of a record are cached forever',
    noticedBy: 'repeated reads: tasks: references read after a record are current after each change',
    open() {
      const cache: RowCache = new Map()
      return alterStorage((store, location) => cacheReferences(store, location, cache))
    },
  },
  {
    guarantee: 'References of a locked record are current',
    breakage: 'the references of a record are cached forever',
    noticedBy: 'repeated reads: an optimistic lock reads references as the previous holder left them',
    open() {
      const cache: RowCache = new Map()
      return alterStorage((store, location) => {
        const { get } = cacheReferences(store, location, cache)
        return {
          get: (id) => get(id),
          getForUpdate: (id, options) =>
            options?.lock === 'optimistic' ? get(id) : store.getForUpdate(id, options),
        }
      })
    },
  },
  {
    guarantee: 'Statement isolation sees committed data',
    breakage: 'a read with statement isolation finds nothing',
    noticedBy:
      'repeated reads: a read with statement isolation resolves and rejects like its work, and sees commits',
    open() {
      const storage = alterStorage(() => ({}))
      const emptyReads = alterStorage(() => ({ get: async () => undefined }))
      return {
        ...storage,
        read: (work, options) =>
          (options?.isolation === 'statement' ? emptyReads : storage).read(work, options),
      }
    },
  },
  {
    guarantee: 'A report sees committed data',
    breakage: 'a report sees the data from when the store was opened',
    noticedBy:
      'repeated reads: a read with the report workload resolves and rejects like its work, and sees commits',
    open() {
      const storage = memoryStorage()
      const empty = memoryStorage()
      return {
        ...storage,
        read: (work, options) => (options?.workload === 'report' ? empty : storage).read(work, options),
      }
    },
  },
]

function cacheOf(caches: WeakMap<Transaction, RowCache>, tx: Transaction): RowCache {
  const cache = caches.get(tx) ?? new Map()
  caches.set(tx, cache)
  return cache
}

function cacheReads(store: RowStore, cache: RowCache): Partial<RowStore> {
  const get = async (id: string) => {
    if (!cache.has(id)) cache.set(id, await store.get(id))
    return cache.get(id)
  }
  return { get }
}

function invalidateChanged(store: RowStore, cache: RowCache): Partial<RowStore> {
  return {
    ...cacheReads(store, cache),
    async update(row) {
      cache.delete(row.id)
      return store.update(row)
    },
  }
}

function cacheReferences(
  store: RowStore,
  { spec, tx, workspace }: StoreLocation,
  cache: RowCache,
): Pick<RowStore, 'get'> {
  return {
    async get(id) {
      if (cache.has(id)) return cache.get(id)
      const row = await store.get(id)
      for (const [field, target] of Object.entries(spec.foreignKeys)) {
        const targetId = row?.[field]
        if (typeof targetId === 'string' && !cache.has(targetId))
          cache.set(
            targetId,
            (await tx.workspace(workspace)[toCollection(target)].get(targetId)) as Row | undefined,
          )
      }
      return row
    },
  }
}
