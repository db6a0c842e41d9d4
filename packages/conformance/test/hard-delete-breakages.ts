import { conflict, type Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { instant, uniqueText } from '../src/sample-rows.ts'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const HARD_DELETE_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A hard-deleted record is removed entirely',
    breakage: 'hardDelete works like softDelete',
    noticedBy: 'hardDelete: tags: hardDelete frees the id of a live or soft-deleted record',
    open: () =>
      alterStorage((store) => ({
        async hardDelete(id) {
          await store.softDelete(id, instant(9))
        },
      })),
  },
  {
    guarantee: 'Soft-deleted records can be hard-deleted',
    breakage: 'hardDelete finds only live records',
    noticedBy: 'hardDelete: deals.entity_id: hardDelete of a live or deleted record frees the value at once',
    open: () =>
      alterStorage((store) => ({
        hardDelete: async (id) => ((await store.get(id)) ? store.hardDelete(id) : undefined),
      })),
  },
  {
    guarantee: 'A hard-deleted record is invisible',
    breakage: 'getMany still returns hard-deleted records',
    noticedBy: 'hardDelete: lists: hardDelete hides the record, and no other, from every method',
    open: returnHardDeleted,
  },
  {
    guarantee: 'hardDelete of a nonexistent record does nothing',
    breakage: 'hardDelete of a nonexistent record throws',
    noticedBy: 'hardDelete: files: hardDelete of a nonexistent record does nothing',
    open: () =>
      alterStorage((store) => ({
        async hardDelete(id) {
          if (!(await store.get(id))) throw new Error('There is no such record.')
          await store.hardDelete(id)
        },
      })),
  },
  {
    guarantee: 'hardDelete frees every unique value',
    breakage: 'a unique value stays taken after hardDelete',
    noticedBy:
      'hardDelete: idempotency_keys.scope: hardDelete of a live or deleted record frees the value at once',
    open: keepValuesOnHardDelete,
  },
  {
    guarantee: 'hardDelete is rolled back with its transaction',
    breakage: 'a value freed by hardDelete stays free after a rollback',
    noticedBy:
      'hardDelete: people.entity_id: a deleted record keeps its value when its hard deletion is rolled back',
    open: keepValuesFreeAfterRollback,
  },
  {
    guarantee: 'hardDelete removes the references of a record',
    breakage: 'records referenced by a hard-deleted record cannot be deleted',
    noticedBy: 'hardDelete: stages: the records that a hard-deleted record referred to can be hard-deleted',
    open: keepReferences,
  },
]

function returnHardDeleted(): Storage {
  const deleted = new Map<string, Row>()
  return alterStorage((store) => ({
    async hardDelete(id) {
      const row = await store.get(id)
      if (row) deleted.set(id, row)
      await store.hardDelete(id)
    },
    getMany: async (ids) => [...(await store.getMany(ids)), ...ids.flatMap((id) => deleted.get(id) ?? [])],
  }))
}

function keepValuesOnHardDelete(): Storage {
  const taken = new Set<unknown>()
  return alterStorage((store, { spec }) => ({
    async hardDelete(id) {
      const row = await store.get(id)
      for (const field of spec.unique) taken.add(row?.[field])
      await store.hardDelete(id)
    },
    async insert(row) {
      const field = spec.unique.find((each) => taken.has(row[each]))
      if (field) throw conflict(field)
      await store.insert(row)
    },
  }))
}

function keepValuesFreeAfterRollback(): Storage {
  const freed = new Set<unknown>()
  const values = new Map<string, unknown>()
  return alterStorage((store, { spec: { uniqueForever } }) => ({
    async insert(row) {
      const freedFields = uniqueForever.filter((field) => freed.has(row[field]))
      for (const field of uniqueForever) values.set(row.id, row[field])
      await store.insert({
        ...row,
        ...Object.fromEntries(freedFields.map((field) => [field, uniqueText(field)])),
      })
    },
    async hardDelete(id) {
      freed.add(values.get(id))
      await store.hardDelete(id)
    },
  }))
}

function keepReferences(): Storage {
  const targets = new Set<unknown>()
  return alterStorage((store, { spec }) => ({
    async insert(row) {
      for (const field of Object.keys(spec.foreignKeys)) targets.add(row[field])
      await store.insert(row)
    },
    async hardDelete(id) {
      if (targets.has(id)) throw new Error('A record refers to it.')
      await store.hardDelete(id)
    },
  }))
}
