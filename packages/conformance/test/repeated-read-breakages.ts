import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/collections.ts'
import { alterStorage, type StoreLocation } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

type RowCache = Map<string, Row | undefined>

export const REPEATED_READ_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A transaction sees what it has changed',
    breakage: 'what it has read once it reads no more',
    noticedBy:
      'reading again: tasks: what was read before a change is read anew after it, in the same transaction',
    open() {
      const ofEach = new WeakMap<Transaction, RowCache>()
      return alterStorage((store, { tx }) => cacheReads(store, cacheOf(ofEach, tx)))
    },
  },
  {
    guarantee: 'A transaction sees what others have changed before it',
    breakage: 'settings are remembered for ever',
    noticedBy:
      'reading again: pipelines: what one transaction has read, the next reads as it was changed meanwhile',
    open() {
      const seen: RowCache = new Map()
      return alterStorage((store, { spec: place, workspace }) =>
        place.name === 'pipelines' && workspace ? cacheReads(store, seen) : {},
      )
    },
  },
  {
    guarantee: 'What an attempt took back was never there',
    breakage: 'what was read in it is remembered',
    noticedBy: 'reading again: deals: what a part that failed had changed is read as it was',
    open() {
      const ofEach = new WeakMap<Transaction, RowCache>()
      return alterStorage((store, { tx }) => invalidateChanged(store, cacheOf(ofEach, tx)))
    },
  },
  {
    guarantee: 'What is read along is as it is',
    breakage: 'a link that was read along is remembered for ever',
    noticedBy:
      'reading again: tasks: what get with references reads along is as it is, whatever becomes of it',
    open() {
      const seen: RowCache = new Map()
      return alterStorage((store, spot) => cacheReferences(store, spot, seen))
    },
  },
  {
    guarantee: 'What is read along with a record that is changed is as it is',
    breakage: 'a link that was read along is remembered for ever',
    noticedBy:
      'reading again: who changes a record reads what it refers to, too, as the one who changed it before has left that',
    open() {
      const seen: RowCache = new Map()
      return alterStorage((store, spot) => {
        const { get } = cacheReferences(store, spot, seen)
        return {
          get: (id) => get(id),
          getForUpdate: (id, options) =>
            options?.lock === 'optimistic'
              ? get(id, { include: 'references' })
              : store.getForUpdate(id, options),
        }
      })
    },
  },
  {
    guarantee: 'glance sees what is committed',
    breakage: 'it finds nothing',
    noticedBy:
      'reading again: glance gives what its work gives, sees what is committed, and throws what its work throws',
    open() {
      const sound = alterStorage(() => ({}))
      const blind = alterStorage(() => ({ get: async () => undefined }))
      return {
        ...sound,
        read: (work, options) => (options?.isolation === 'statement' ? blind : sound).read(work, options),
      }
    },
  },
  {
    guarantee: 'A survey sees what is committed',
    breakage: 'it sees what was there when the store was opened',
    noticedBy:
      'reading again: survey gives what its work gives, sees what is committed, and throws what its work throws',
    open() {
      const sound = memoryStorage()
      const empty = memoryStorage()
      return {
        ...sound,
        read: (work, options) => (options?.workload === 'report' ? empty : sound).read(work, options),
      }
    },
  },
]

function cacheOf(ofEach: WeakMap<Transaction, RowCache>, tx: Transaction): RowCache {
  const seen = ofEach.get(tx) ?? new Map()
  ofEach.set(tx, seen)
  return seen
}

function cacheReads(store: RowStore, seen: RowCache): Partial<RowStore> {
  const get = async (id: string) => {
    if (!seen.has(id)) seen.set(id, await store.get(id))
    return seen.get(id)
  }
  return { get }
}

function invalidateChanged(store: RowStore, seen: RowCache): Partial<RowStore> {
  return {
    ...cacheReads(store, seen),
    async update(row, before) {
      seen.delete(row.id)
      return store.update(row, before)
    },
  }
}

function cacheReferences(
  store: RowStore,
  { spec: place, tx, workspace }: StoreLocation,
  seen: RowCache,
): Pick<RowStore, 'get'> {
  return {
    async get(id, options) {
      if (options?.include !== 'references') return seen.has(id) ? seen.get(id) : store.get(id)
      const row = await store.get(id, { include: 'references' })
      for (const [field, target] of Object.entries(place.foreignKeys)) {
        const linked = row?.[field]
        if (typeof linked === 'string' && !seen.has(linked))
          seen.set(linked, (await tx.workspace(workspace)[target].get(linked)) as Row | undefined)
      }
      return row
    },
  }
}
