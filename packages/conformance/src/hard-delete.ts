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
  name: 'hardDelete',
  cases: [
    ...ALL_COLLECTIONS.flatMap(hardDeleteCases),
    ...ALL_COLLECTIONS.flatMap((spec) =>
      [...spec.unique, ...spec.uniqueForever].map((field) => freesValue(spec, field)),
    ),
    ...ALL_COLLECTIONS.flatMap((spec) =>
      spec.uniqueForever.map((field) => keepsValueAfterRollback(spec, field)),
    ),
    ...WORKSPACE_COLLECTIONS.filter(({ foreignKeys }) => Object.keys(foreignKeys).length > 0).map(
      allowsHardDeletingTargets,
    ),
  ],
}

function hardDeleteCases(spec: CollectionSpec): Case[] {
  return [hidesRecord(spec), freesId(spec), ignoresMissingRecord(spec)]
}

function hidesRecord(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: hardDelete hides the record, and no other, from every method`,
    async run(context) {
      const row = await insertRow(context, spec)
      const otherRow = cloneRow(spec, row)
      const where = [{ field: 'id', oneOf: [row.id, otherRow.id] }] as const
      const expectGone = async (store: RowStore) => {
        expect(await store.get(row.id), 'get').toBeUndefined()
        expect(await store.getMany([row.id, otherRow.id]), 'getMany').toEqual([otherRow])
        expect(await store.find(where), 'find').toEqual([otherRow])
        expect(await store.has([{ field: 'id', is: row.id }]), 'has').toBe(false)
        const page = await store.list({ page: 1, per_page: 5, order_by: 'created_at', order: 'asc', where })
        expect(page, 'list').toEqual({ rows: [otherRow], total: 1 })
      }
      await write(context, spec, async (store) => {
        await store.insert(otherRow)
        await store.hardDelete(row.id)
        await expectGone(store)
        expect(await store.getForUpdate(row.id), 'getForUpdate').toBeUndefined()
        expect(
          await store.getForUpdate(row.id, { lock: 'optimistic' }),
          'getForUpdate with an optimistic lock',
        ).toBeUndefined()
        expect(await store.getForShare(row.id), 'getForShare').toBeUndefined()
        expect(await store.softDelete(row.id, instant(9)), 'softDelete').toBe(false)
        await store.update(row)
      })
      await read(context, spec, expectGone)
    },
  }
}

function freesId(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: hardDelete frees the id of a live or soft-deleted record`,
    async run(context) {
      const row = await insertRow(context, spec)
      const replacements: Row[] = [
        withNulls(spec, cloneRow(spec, row, { id: row.id })),
        cloneRow(spec, row, { id: row.id }),
      ]
      for (const next of replacements) {
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
  }
}

function ignoresMissingRecord(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: hardDelete of a nonexistent record does nothing`,
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
  }
}

function freesValue(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: hardDelete of a live or deleted record frees the value at once`,
    async run(context) {
      const row = await insertRow(context, spec)
      const [second, third] = [1, 2].map(() => cloneRow(spec, row, { [field]: row[field] })) as [Row, Row]
      await write(context, spec, async (store) => {
        await store.hardDelete(row.id)
        await store.insert(second)
      })
      await expectConflict(
        write(context, spec, (store) => store.insert(row)),
        field,
      )
      await write(context, spec, async (store) => {
        await store.softDelete(second.id, instant(9))
        await store.hardDelete(second.id)
        await store.insert(third)
      })
      expect(await getStored(context, spec, third.id)).toEqual(third)
    },
  }
}

function keepsValueAfterRollback(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: a deleted record keeps its value when its hard deletion is rolled back`,
    async run(context) {
      const row = await insertRow(context, spec)
      const next = cloneRow(spec, row, { [field]: row[field] })
      await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
      const failing = write(context, spec, async (store) => {
        await store.hardDelete(row.id)
        throw new Error('rolled back')
      })
      await expect(failing).rejects.toThrow('rolled back')
      await expectConflict(
        write(context, spec, (store) => store.insert(next)),
        field,
      )
    },
  }
}

function allowsHardDeletingTargets(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: the records that a hard-deleted record referred to can be hard-deleted`,
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
