import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  type Row,
  type RowStore,
  read,
  WORKSPACE_COLLECTIONS,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant, withNulls } from './sample-rows.ts'
import { expectConflict } from './uniqueness.ts'

export const hardDelete: Group = {
  name: 'erase',
  cases: [
    ...ALL_COLLECTIONS.flatMap(eraseCases),
    ...ALL_COLLECTIONS.flatMap((spec) =>
      [...spec.unique, ...spec.uniqueForever].map((field) => freesValue(spec, field)),
    ),
    ...ALL_COLLECTIONS.flatMap((spec) =>
      spec.uniqueForever.map((field) => keepsValueAfterRollback(spec, field)),
    ),
    ...WORKSPACE_COLLECTIONS.filter(({ foreignKeys }) => Object.keys(foreignKeys).length > 0).map(
      allowsErasingReferences,
    ),
  ],
}

function eraseCases(spec: CollectionSpec): Case[] {
  return [
    {
      name: `${spec.name}: an erased record is gone for every way of reading, and no other is`,
      async run(context) {
        const row = await insertRow(context, spec)
        const neighbour = cloneRow(spec, row)
        const where = [{ field: 'id', oneOf: [row.id, neighbour.id] }] as const
        const gone = async (store: RowStore) => {
          expect(await store.get(row.id), 'get').toBeUndefined()
          expect(await store.getMany([row.id, neighbour.id]), 'getMany').toEqual([neighbour])
          expect(await store.find(where), 'find').toEqual([neighbour])
          expect(await store.has([{ field: 'id', is: row.id }]), 'has').toBe(false)
          const page = await store.list({ page: 1, per_page: 5, order_by: 'created_at', order: 'asc', where })
          expect(page, 'list').toEqual({ rows: [neighbour], total: 1 })
        }
        await write(context, spec, async (store) => {
          await store.insert(neighbour)
          await store.hardDelete(row.id)
          await gone(store)
          expect(await store.getForUpdate(row.id), 'getForUpdate').toBeUndefined()
          expect(
            await store.getForUpdate(row.id, { lock: 'optimistic' }),
            'getForUpdate with an optimistic lock',
          ).toBeUndefined()
          expect(await store.getForShare(row.id), 'getForShare').toBeUndefined()
          expect(await store.softDelete(row.id, instant(9)), 'softDelete').toBe(false)
          await store.update(row)
        })
        await read(context, spec, gone)
      },
    },
    {
      name: `${spec.name}: the id of an erased record can be inserted anew, whether it was live or deleted`,
      async run(context) {
        const row = await insertRow(context, spec)
        const anew: Row[] = [
          withNulls(spec, cloneRow(spec, row, { id: row.id })),
          cloneRow(spec, row, { id: row.id }),
        ]
        for (const next of anew) {
          await write(context, spec, async (store) => {
            await store.hardDelete(row.id)
            await store.insert(next)
            expect(await store.get(row.id)).toEqual(next)
          })
          expect(await getStored(context, spec, row.id)).toEqual(next)
          await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
        }
        await write(context, spec, (store) => store.hardDelete(row.id))
        await write(context, spec, (store) => store.insert(row))
        expect(await getStored(context, spec, row.id)).toEqual(row)
      },
    },
    {
      name: `${spec.name}: erasing what is not there does nothing`,
      async run(context) {
        const row = await insertRow(context, spec)
        const next = cloneRow(spec, row)
        await write(context, spec, async (store) => {
          await store.insert(next)
          for (const id of [newId(), next.id, next.id]) expect(await store.hardDelete(id)).toBeUndefined()
        })
        expect(await getStored(context, spec, row.id)).toEqual(row)
        expect(await getStored(context, spec, next.id)).toBeUndefined()
      },
    },
  ]
}

function freesValue(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: an erased record frees its value, live or deleted, in the same transaction already`,
    async run(context) {
      const row = await insertRow(context, spec)
      const [heir, last] = [1, 2].map(() => cloneRow(spec, row, { [field]: row[field] })) as [Row, Row]
      await write(context, spec, async (store) => {
        await store.hardDelete(row.id)
        await store.insert(heir)
      })
      await expectConflict(
        write(context, spec, (store) => store.insert(row)),
        field,
      )
      await write(context, spec, async (store) => {
        await store.softDelete(heir.id, instant(9))
        await store.hardDelete(heir.id)
        await store.insert(last)
      })
      expect(await getStored(context, spec, last.id)).toEqual(last)
    },
  }
}

function keepsValueAfterRollback(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: a deleted record keeps its value when it was erased in a transaction that failed`,
    async run(context) {
      const row = await insertRow(context, spec)
      const heir = cloneRow(spec, row, { [field]: row[field] })
      await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
      const failing = write(context, spec, async (store) => {
        await store.hardDelete(row.id)
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      await expectConflict(
        write(context, spec, (store) => store.insert(heir)),
        field,
      )
    },
  }
}

function allowsErasingReferences(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: once a record is erased, nothing keeps what it referred to from being erased`,
    async run(context) {
      const row = await insertRow(context, spec)
      const targets = Object.entries(spec.foreignKeys).filter(([field]) => row[field] !== null)
      await write(context, spec, async (store, tx) => {
        await store.hardDelete(row.id)
        for (const [field, target] of targets)
          await getCollection(target)
            .storeIn(tx, context.workspace)
            .hardDelete(row[field] as string)
      })
      expect(await getStored(context, spec, row.id)).toBeUndefined()
      for (const [field, target] of targets)
        expect(await getStored(context, getCollection(target), row[field] as string), field).toBeUndefined()
    },
  }
}
