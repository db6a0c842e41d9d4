import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import { ALL_COLLECTIONS, type CollectionSpec, getStored, write } from './collections.ts'
import { cloneRow, insertRow, instant, withNulls } from './sample-rows.ts'

export const updates: Group = {
  name: 'update and softDelete',
  cases: ALL_COLLECTIONS.flatMap((spec) => [...updateCases(spec), ...deleteCases(spec)]),
}

function updateCases(spec: CollectionSpec): Case[] {
  return [
    {
      name: `${spec.name}: update writes every field of the record and no other record`,
      async run(context) {
        const row = await insertRow(context, spec, {}, 1)
        const otherRow = cloneRow(spec, row)
        await write(context, spec, (store) => store.insert(otherRow))
        const template = await insertRow(context, spec, {}, 2)
        const changed = cloneRow(spec, template, { id: row.id })
        await write(context, spec, (store) => store.update(changed))
        expect(await getStored(context, spec, row.id)).toEqual(changed)
        expect(await getStored(context, spec, otherRow.id)).toEqual(otherRow)
        const cleared = withNulls(spec, { ...changed, created_at: instant(5) })
        await write(context, spec, (store) => store.update(cleared))
        expect(await getStored(context, spec, row.id)).toEqual(cleared)
      },
    },
    {
      name: `${spec.name}: update of a locked record writes every differing field, and again after a change`,
      async run(context) {
        const row = await insertRow(context, spec, {}, 1)
        const changed = cloneRow(spec, await insertRow(context, spec, {}, 2), { id: row.id })
        const changes = Object.keys(spec.columns).map((field) => ({ ...row, [field]: changed[field] }))
        for (const after of [...changes, changed]) {
          await write(context, spec, async (store) => {
            expect(await store.getForUpdate(row.id)).toEqual(row)
            await store.update(after)
            expect(await store.get(row.id)).toEqual(after)
            await store.update(row)
            expect(await store.get(row.id)).toEqual(row)
          })
          expect(await getStored(context, spec, row.id)).toEqual(row)
        }
      },
    },
    {
      name: `${spec.name}: update of a nonexistent record inserts nothing and checks nothing`,
      async run(context) {
        const missingReferences = Object.keys(spec.foreignKeys).map((field) => [field, newId()])
        const row = {
          ...(await insertRow(context, spec)),
          ...Object.fromEntries(missingReferences),
          id: newId(),
        }
        await write(context, spec, (store) => store.update(row))
        expect(await getStored(context, spec, row.id)).toBeUndefined()
      },
    },
    {
      name: `${spec.name}: update does not restore a soft-deleted record`,
      async run(context) {
        const row = await insertRow(context, spec)
        await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
        await write(context, spec, (store) => store.update(row))
        expect(await getStored(context, spec, row.id)).toBeUndefined()
      },
    },
  ]
}

function deleteCases(spec: CollectionSpec): Case[] {
  return [
    {
      name: `${spec.name}: softDelete hides the record, and no other, from every read method`,
      async run(context) {
        const row = await insertRow(context, spec)
        const otherRow = cloneRow(spec, row)
        const both = [row.id, otherRow.id]
        const where = [{ field: 'id', oneOf: both }] as const
        await write(context, spec, (store) => store.insert(otherRow))
        expect(await write(context, spec, (store) => store.softDelete(row.id, instant(9)))).toBe(true)
        await write(context, spec, async (store) => {
          expect(await store.get(row.id), 'get').toBeUndefined()
          expect(await store.getForUpdate(row.id), 'getForUpdate').toBeUndefined()
          expect(
            await store.getForUpdate(row.id, { lock: 'optimistic' }),
            'getForUpdate with an optimistic lock',
          ).toBeUndefined()
          expect(await store.getForShare(row.id), 'getForShare').toBeUndefined()
          expect(await store.getMany(both), 'getMany').toEqual([otherRow])
          expect(await store.find(where), 'find').toEqual([otherRow])
          expect(await store.has([{ field: 'id', is: row.id }]), 'has').toBe(false)
          const page = await store.list({ page: 1, per_page: 5, order_by: 'id', order: 'asc', where })
          expect(page, 'list').toEqual({ rows: [otherRow], total: 1 })
        })
      },
    },
    {
      name: `${spec.name}: softDelete returns false when there is nothing to delete`,
      async run(context) {
        const row = await insertRow(context, spec)
        const remove = (id: string) => write(context, spec, (store) => store.softDelete(id, instant(9)))
        expect(await remove(newId()), 'a nonexistent record').toBe(false)
        expect(await remove(row.id), 'a live record').toBe(true)
        expect(await remove(row.id), 'a deleted record').toBe(false)
      },
    },
    {
      name: `${spec.name}: insert rejects the id of an existing record, live or soft-deleted`,
      async run(context) {
        const row = await insertRow(context, spec)
        const insertDuplicate = () =>
          write(context, spec, (store) => store.insert(cloneRow(spec, row, { id: row.id })))
        await expect(insertDuplicate()).rejects.toThrow()
        expect(await getStored(context, spec, row.id)).toEqual(row)
        await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
        await expect(insertDuplicate()).rejects.toThrow()
        expect(await getStored(context, spec, row.id)).toBeUndefined()
      },
    },
  ]
}
