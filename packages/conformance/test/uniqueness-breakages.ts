import { conflict, type Storage } from '@sales-crm/core/ports'
import { uniqueText } from '../src/sample-rows.ts'
import { alterStorage, findConflict } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const UNIQUENESS_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A conflict names the field',
    breakage: 'the conflict names the id',
    noticedBy: 'uniqueness: users.email: insert, insertMany and update of a taken value conflict on email',
    open: () =>
      alterStorage((store, { spec }) => ({
        async insert(row) {
          if (await findConflict(store, spec, row)) throw conflict('id')
          await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'One record holds a unique value',
    breakage: 'insert ignores a conflict',
    noticedBy:
      'uniqueness: task_types.key: one of twenty concurrent inserts of a value succeeds, others conflict',
    open: () =>
      alterStorage((store, { spec }) => ({
        async insert(row) {
          if (!(await findConflict(store, spec, row))) await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'softDelete frees unique values',
    breakage: 'softDelete keeps unique values',
    noticedBy: 'uniqueness: task_types.key: softDelete frees the value at once',
    open: neverFreeValues,
  },
  {
    guarantee: 'update frees the previous value',
    breakage: 'a value stays taken forever',
    noticedBy: 'uniqueness: people.entity_id: update frees the previous value at once',
    open: keepFormerValues,
  },
  {
    guarantee: 'Null is not a unique value',
    breakage: 'a second null is a conflict',
    noticedBy: 'uniqueness: grants.refresh_hash: any number of records can hold null',
    open: () =>
      alterStorage((store, { spec }) => ({
        async insertMany(rows) {
          for (const row of rows) {
            const [field] = spec.unique.filter((each) => row[each] === null)
            if (field && (await store.has([{ field, is: null }]))) throw conflict(field)
            await store.insert(row)
          }
        },
      })),
  },
  {
    guarantee: 'Unique values are compared exactly',
    breakage: 'unique values are compared without case',
    noticedBy:
      'uniqueness: workspaces.slug: values that differ in case, accents or trailing white space are distinct',
    open: () =>
      alterStorage((store, { spec }) => ({
        async insertMany(rows) {
          for (const field of spec.unique) {
            const lower = rows.map((row) => String(row[field]).toLowerCase())
            if (new Set(lower).size < lower.length) throw conflict(field)
          }
          await store.insertMany(rows)
        },
      })),
  },
  {
    guarantee: 'Uniqueness is per workspace',
    breakage: 'values are unique across workspaces',
    noticedBy: 'uniqueness: task_types.key: two workspaces can hold the same value',
    open: shareUniqueness,
  },
  {
    guarantee: '`uniqueForever` values are never reused',
    breakage: 'softDelete frees `uniqueForever` values',
    noticedBy: 'uniqueness: deals.entity_id: a soft-deleted record keeps its value forever',
    open: freeUniqueForever,
  },
]

function neverFreeValues(): Storage {
  const taken = new Set<unknown>()
  return alterStorage((store, { spec }) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      for (const field of spec.unique) taken.add(row?.[field])
      return store.softDelete(id, at)
    },
    async insert(row) {
      const field = spec.unique.find((each) => taken.has(row[each]))
      if (field) throw conflict(field)
      await store.insert(row)
    },
  }))
}

function keepFormerValues(): Storage {
  const taken = new Set<unknown>()
  return alterStorage((store, { spec }) => ({
    async insert(row) {
      for (const field of spec.uniqueForever) {
        if (taken.has(row[field])) throw conflict(field)
        taken.add(row[field])
      }
      await store.insert(row)
    },
  }))
}

function freeUniqueForever(): Storage {
  const freed = new Set<unknown>()
  return alterStorage((store, { spec }) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      for (const field of spec.uniqueForever) freed.add(row?.[field])
      return store.softDelete(id, at)
    },
    async insert(row) {
      const freedFields = spec.uniqueForever.filter((field) => freed.has(row[field]))
      await store.insert({
        ...row,
        ...Object.fromEntries(freedFields.map((field) => [field, uniqueText(field)])),
      })
    },
  }))
}

function shareUniqueness(): Storage {
  const holders = new Map<unknown, string>()
  return alterStorage((store, { spec, workspace }) => ({
    async insert(row) {
      for (const field of spec.unique) {
        const holder = holders.get(row[field]) ?? workspace
        if (holder !== workspace) throw conflict(field)
        holders.set(row[field], workspace)
      }
      await store.insert(row)
    },
  }))
}
