import { conflict, type Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { instant, uniqueText } from '../src/sample-rows.ts'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const HARD_DELETE_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'An erased record has never been',
    breakage: 'erase deletes it as softDelete does',
    noticedBy: 'erase: tags: the id of an erased record can be inserted anew, whether it was live or deleted',
    open: () =>
      alterStorage((store) => ({
        async hardDelete(id) {
          await store.softDelete(id, instant(9))
        },
      })),
  },
  {
    guarantee: 'Deleted records can be erased',
    breakage: 'erase finds live ones alone',
    noticedBy:
      'erase: deals.entity_id: an erased record frees its value, live or deleted, in the same transaction already',
    open: () =>
      alterStorage((store) => ({
        hardDelete: async (id) => ((await store.get(id)) ? store.hardDelete(id) : undefined),
      })),
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
      alterStorage((store) => ({
        async hardDelete(id) {
          if (!(await store.get(id))) throw new Error('There is no such record.')
          await store.hardDelete(id)
        },
      })),
  },
  {
    guarantee: 'An erased record frees all its values',
    breakage: 'a unique value stays taken',
    noticedBy:
      'erase: idempotency_keys.scope: an erased record frees its value, live or deleted, in the same transaction already',
    open: erasesNoValues,
  },
  {
    guarantee: 'erase is undone with its transaction',
    breakage: 'a value it freed stays free',
    noticedBy:
      'erase: people.entity_id: a deleted record keeps its value when it was erased in a transaction that failed',
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
  return alterStorage((store) => ({
    async hardDelete(id) {
      const row = await store.get(id)
      if (row) erased.set(id, row)
      await store.hardDelete(id)
    },
    getMany: async (ids) => [...(await store.getMany(ids)), ...ids.flatMap((id) => erased.get(id) ?? [])],
  }))
}

function erasesNoValues(): Storage {
  const spent = new Set<unknown>()
  return alterStorage((store, { spec: place }) => ({
    async hardDelete(id) {
      const row = await store.get(id)
      for (const field of place.unique) spent.add(row?.[field])
      await store.hardDelete(id)
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
  return alterStorage((store, { spec: { uniqueForever } }) => ({
    async insert(row) {
      const again = uniqueForever.filter((field) => freed.has(row[field]))
      for (const field of uniqueForever) values.set(row.id, row[field])
      await store.insert({ ...row, ...Object.fromEntries(again.map((field) => [field, uniqueText(field)])) })
    },
    async hardDelete(id) {
      freed.add(values.get(id))
      await store.hardDelete(id)
    },
  }))
}

function keepsReferences(): Storage {
  const targets = new Set<unknown>()
  return alterStorage((store, { spec: place }) => ({
    async insert(row) {
      for (const field of Object.keys(place.foreignKeys)) targets.add(row[field])
      await store.insert(row)
    },
    async hardDelete(id) {
      if (targets.has(id)) throw new Error('A record refers to it.')
      await store.hardDelete(id)
    },
  }))
}
