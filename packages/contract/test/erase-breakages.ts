import { conflict, type Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/places.ts'
import { distinct, instant } from '../src/samples.ts'
import { altered } from './altered.ts'
import type { Breakage } from './breakage.ts'

export const ERASE_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'An erased record has never been',
    breakage: 'erase deletes it as softDelete does',
    noticedBy: 'erase: tags: the id of an erased record can be inserted anew, whether it was live or deleted',
    open: () =>
      altered((store) => ({
        async erase(id) {
          await store.softDelete(id, instant(9))
        },
      })),
  },
  {
    guarantee: 'Deleted records can be erased',
    breakage: 'erase finds live ones alone',
    noticedBy: 'erase: deals.entity_id: an erased record frees its value, live or deleted, in the same transaction already',
    open: () => altered((store) => ({ erase: async (id) => ((await store.get(id)) ? store.erase(id) : undefined) })),
  },
  {
    guarantee: 'An erased record is not found',
    breakage: 'getMany still finds it',
    noticedBy: 'erase: lists: an erased record is gone for every way of reading, and no other is',
    open: remembersTheErased,
  },
  {
    guarantee: 'Erasing what is not there is nothing',
    breakage: 'erase throws',
    noticedBy: 'erase: files: erasing what is not there does nothing',
    open: () =>
      altered((store) => ({
        async erase(id) {
          if (!(await store.get(id))) throw new Error('There is no such record.')
          await store.erase(id)
        },
      })),
  },
  {
    guarantee: 'An erased record frees all its values',
    breakage: 'a unique value stays taken',
    noticedBy: 'erase: idempotency_keys.scope: an erased record frees its value, live or deleted, in the same transaction already',
    open: erasesNoValues,
  },
  {
    guarantee: 'erase is undone with its transaction',
    breakage: 'a value it freed stays free',
    noticedBy: 'erase: people.entity_id: a deleted record keeps its value when it was erased in a transaction that failed',
    open: erasesForGood,
  },
  {
    guarantee: 'An erased record refers to nothing',
    breakage: 'what it referred to cannot be erased',
    noticedBy: 'erase: stages: once a record is erased, nothing keeps what it referred to from being erased',
    open: keepsReferences,
  },
]

function remembersTheErased(): Storage {
  const erased = new Map<string, Row>()
  return altered((store) => ({
    async erase(id) {
      const row = await store.get(id)
      if (row) erased.set(id, row)
      await store.erase(id)
    },
    getMany: async (ids) => [...(await store.getMany(ids)), ...ids.flatMap((id) => erased.get(id) ?? [])],
  }))
}

function erasesNoValues(): Storage {
  const spent = new Set<unknown>()
  return altered((store, { place }) => ({
    async erase(id) {
      const row = await store.get(id)
      for (const field of place.unique) spent.add(row?.[field])
      await store.erase(id)
    },
    async insert(row) {
      const field = place.unique.find((each) => spent.has(row[each]))
      if (field) throw conflict(field)
      await store.insert(row)
    },
  }))
}

function erasesForGood(): Storage {
  const freed = new Set<unknown>()
  const values = new Map<string, unknown>()
  return altered((store, { place: { neverReused } }) => ({
    async insert(row) {
      const again = neverReused.filter((field) => freed.has(row[field]))
      for (const field of neverReused) values.set(row.id, row[field])
      await store.insert({ ...row, ...Object.fromEntries(again.map((field) => [field, distinct(field)])) })
    },
    async erase(id) {
      freed.add(values.get(id))
      await store.erase(id)
    },
  }))
}

function keepsReferences(): Storage {
  const targets = new Set<unknown>()
  return altered((store, { place }) => ({
    async insert(row) {
      for (const field of Object.keys(place.refersTo)) targets.add(row[field])
      await store.insert(row)
    },
    async erase(id) {
      if (targets.has(id)) throw new Error('A record refers to it.')
      await store.erase(id)
    },
  }))
}
