import { conflict, type Storage } from '@sales-crm/core/ports'
import { uniqueText } from '../src/sample-rows.ts'
import { alterStorage, findConflict } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const UNIQUENESS_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A conflict names the field',
    breakage: 'the conflict names the id',
    noticedBy:
      'uniqueness: users.email: a taken value is a conflict on email, for insert, insertMany and update',
    open: () =>
      alterStorage((store, { spec: place }) => ({
        async insert(row) {
          if (await findConflict(store, place, row)) throw conflict('id')
          await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'A unique value has one holder',
    breakage: 'a conflict in insert is passed over',
    noticedBy:
      'uniqueness: task_types.key: of twenty at once that insert one value, one wins and nineteen get the conflict',
    open: () =>
      alterStorage((store, { spec: place }) => ({
        async insert(row) {
          if (!(await findConflict(store, place, row))) await store.insert(row)
        },
      })),
  },
  {
    guarantee: 'A deleted record frees its unique value',
    breakage: 'softDelete forgets to',
    noticedBy:
      'uniqueness: task_types.key: a deleted record frees its value, in the same transaction already',
    open: neverFrees,
  },
  {
    guarantee: 'A record frees the value it gives up',
    breakage: 'a value stays taken for ever',
    noticedBy:
      'uniqueness: people.entity_id: a record frees the value it gives up, in the same transaction already',
    open: remembersValues,
  },
  {
    guarantee: 'Null is not a unique value',
    breakage: 'a second null is a conflict',
    noticedBy: 'uniqueness: grants.refresh_hash: any number of records hold null',
    open: () =>
      alterStorage((store, { spec: place }) => ({
        async insertMany(rows) {
          for (const row of rows) {
            const [field] = place.unique.filter((each) => row[each] === null)
            if (field && (await store.has([{ field, is: null }]))) throw conflict(field)
            await store.insert(row)
          }
        },
      })),
  },
  {
    guarantee: 'Unique values are compared to the letter',
    breakage: 'they are compared without regard to case',
    noticedBy:
      'uniqueness: workspaces.slug: values that differ in case, in accents or in white space at the end are different',
    open: () =>
      alterStorage((store, { spec: place }) => ({
        async insertMany(rows) {
          for (const field of place.unique) {
            const lower = rows.map((row) => String(row[field]).toLowerCase())
            if (new Set(lower).size < lower.length) throw conflict(field)
          }
          await store.insertMany(rows)
        },
      })),
  },
  {
    guarantee: 'Uniqueness is of the workspace',
    breakage: 'values are unique across workspaces',
    noticedBy: 'uniqueness: task_types.key: another workspace may have the same value',
    open: uniqueEverywhere,
  },
  {
    guarantee: 'Some values are never used again',
    breakage: 'deleting frees them too',
    noticedBy: 'uniqueness: deals.entity_id: a deleted record keeps its value for ever',
    open: freesEverything,
  },
]

function neverFrees(): Storage {
  const spent = new Set<unknown>()
  return alterStorage((store, { spec: place }) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      for (const field of place.unique) spent.add(row?.[field])
      return store.softDelete(id, at)
    },
    async insert(row) {
      const field = place.unique.find((each) => spent.has(row[each]))
      if (field) throw conflict(field)
      await store.insert(row)
    },
  }))
}

function remembersValues(): Storage {
  const spent = new Set<unknown>()
  return alterStorage((store, { spec: place }) => ({
    async insert(row) {
      for (const field of place.uniqueForever) {
        if (spent.has(row[field])) throw conflict(field)
        spent.add(row[field])
      }
      await store.insert(row)
    },
  }))
}

function freesEverything(): Storage {
  const freed = new Set<unknown>()
  return alterStorage((store, { spec: place }) => ({
    async softDelete(id, at) {
      const row = await store.get(id)
      for (const field of place.uniqueForever) freed.add(row?.[field])
      return store.softDelete(id, at)
    },
    async insert(row) {
      const again = place.uniqueForever.filter((field) => freed.has(row[field]))
      await store.insert({ ...row, ...Object.fromEntries(again.map((field) => [field, uniqueText(field)])) })
    },
  }))
}

function uniqueEverywhere(): Storage {
  const holders = new Map<unknown, string>()
  return alterStorage((store, { spec: place, workspace }) => ({
    async insert(row) {
      for (const field of place.unique) {
        const holder = holders.get(row[field]) ?? workspace
        if (holder !== workspace) throw conflict(field)
        holders.set(row[field], workspace)
      }
      await store.insert(row)
    },
  }))
}
