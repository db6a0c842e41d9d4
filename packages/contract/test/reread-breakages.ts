import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/places.ts'
import { altered, type Spot } from './altered.ts'
import type { Breakage } from './breakage.ts'

type Seen = Map<string, Row | undefined>

export const REREAD_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A transaction sees what it has changed',
    breakage: 'what it has read once it reads no more',
    noticedBy: 'reading again: tasks: what was read before a change is read anew after it, in the same transaction',
    open() {
      const ofEach = new WeakMap<Transaction, Seen>()
      return altered((store, { tx }) => remembering(store, seenIn(ofEach, tx)))
    },
  },
  {
    guarantee: 'A transaction sees what others have changed before it',
    breakage: 'settings are remembered for ever',
    noticedBy: 'reading again: pipelines: what one transaction has read, the next reads as it was changed meanwhile',
    open() {
      const seen: Seen = new Map()
      return altered((store, { place, workspace }) => (place.name === 'pipelines' && workspace ? remembering(store, seen) : {}))
    },
  },
  {
    guarantee: 'What an attempt took back was never there',
    breakage: 'what was read in it is remembered',
    noticedBy: 'reading again: deals: what a part that failed had changed is read as it was',
    open() {
      const ofEach = new WeakMap<Transaction, Seen>()
      return altered((store, { tx }) => forgettingChanged(store, seenIn(ofEach, tx)))
    },
  },
  {
    guarantee: 'What is read along is as it is',
    breakage: 'a link that was read along is remembered for ever',
    noticedBy: 'reading again: tasks: what getWithLinks reads along is as it is, whatever becomes of it',
    open() {
      const seen: Seen = new Map()
      return altered((store, spot) => readingAlong(store, spot, seen))
    },
  },
  {
    guarantee: 'What is read along with a record that is changed is as it is',
    breakage: 'a link that was read along is remembered for ever',
    noticedBy: 'reading again: who changes a record reads what it refers to, too, as the one who changed it before has left that',
    open() {
      const seen: Seen = new Map()
      return altered((store, spot) => {
        const { get, getWithLinks } = readingAlong(store, spot, seen)
        return { get: get!, getToChange: getWithLinks! }
      })
    },
  },
  {
    guarantee: 'glance sees what is committed',
    breakage: 'it finds nothing',
    noticedBy: 'reading again: glance gives what its work gives, sees what is committed, and throws what its work throws',
    open() {
      const sound = altered(() => ({}))
      const blind = altered(() => ({ get: async () => undefined, getWithLinks: async () => undefined }))
      return { ...sound, glance: (work) => blind.glance(work) }
    },
  },
  {
    guarantee: 'A survey sees what is committed',
    breakage: 'it sees what was there when the store was opened',
    noticedBy: 'reading again: survey gives what its work gives, sees what is committed, and throws what its work throws',
    open: () => ({ ...memoryStorage(), survey: (work) => memoryStorage().survey(work) }),
  },
]

function seenIn(ofEach: WeakMap<Transaction, Seen>, tx: Transaction): Seen {
  const seen = ofEach.get(tx) ?? new Map()
  ofEach.set(tx, seen)
  return seen
}

function remembering(store: RowStore, seen: Seen): Partial<RowStore> {
  const get = async (id: string) => {
    if (!seen.has(id)) seen.set(id, await store.get(id))
    return seen.get(id)
  }
  return { get, getWithLinks: get }
}

function forgettingChanged(store: RowStore, seen: Seen): Partial<RowStore> {
  return {
    ...remembering(store, seen),
    async update(row, before) {
      seen.delete(row.id)
      return store.update(row, before)
    },
  }
}

function readingAlong(store: RowStore, { place, tx, workspace }: Spot, seen: Seen): Partial<RowStore> {
  return {
    get: async (id) => (seen.has(id) ? seen.get(id) : store.get(id)),
    async getWithLinks(id) {
      const row = await store.getWithLinks(id)
      for (const [field, target] of Object.entries(place.refersTo)) {
        const linked = row?.[field]
        if (typeof linked === 'string' && !seen.has(linked))
          seen.set(linked, (await tx.workspace(workspace)[target].get(linked)) as Row | undefined)
      }
      return row
    },
  }
}
