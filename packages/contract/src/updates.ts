import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import { EVERY, type Place, stored, write } from './places.ts'
import { another, emptied, instant, planted } from './samples.ts'

export const updates: Group = {
  name: 'update and softDelete',
  cases: EVERY.flatMap((place) => [...ofUpdate(place), ...ofDelete(place)]),
}

function ofUpdate(place: Place): Case[] {
  return [
    {
      name: `${place.name}: update writes every field, and no other record`,
      async run(context) {
        const row = await planted(context, place, {}, 1)
        const neighbour = another(place, row)
        await write(context, place, (store) => store.insert(neighbour))
        const other = await planted(context, place, {}, 2)
        const changed = another(place, other, { id: row.id })
        await write(context, place, (store) => store.update(changed))
        expect(await stored(context, place, row.id)).toEqual(changed)
        expect(await stored(context, place, neighbour.id)).toEqual(neighbour)
        const cleared = emptied(place, { ...changed, created_at: instant(5) })
        await write(context, place, (store) => store.update(cleared))
        expect(await stored(context, place, row.id)).toEqual(cleared)
      },
    },
    {
      name: `${place.name}: update that is told what the record was writes whatever differs, be it one field or all`,
      async run(context) {
        let before = await planted(context, place, {}, 1)
        const changed = another(place, await planted(context, place, {}, 2), { id: before.id })
        const steps = [...Object.keys(place.columns).map((field) => ({ ...before, [field]: changed[field] })), before, changed]
        for (const after of steps) {
          const told = before
          await write(context, place, (store) => store.update(after, told))
          expect(await stored(context, place, before.id)).toEqual(after)
          before = after
        }
      },
    },
    {
      name: `${place.name}: update of a record that never was makes none, and checks nothing about it`,
      async run(context) {
        const strays = Object.keys(place.refersTo).map((field) => [field, newId()])
        const row = { ...(await planted(context, place)), ...Object.fromEntries(strays), id: newId() }
        await write(context, place, (store) => store.update(row))
        expect(await stored(context, place, row.id)).toBeUndefined()
      },
    },
    {
      name: `${place.name}: update does not bring back a deleted record`,
      async run(context) {
        const row = await planted(context, place)
        await write(context, place, (store) => store.softDelete(row.id, instant(9)))
        await write(context, place, (store) => store.update(row))
        expect(await stored(context, place, row.id)).toBeUndefined()
      },
    },
  ]
}

function ofDelete(place: Place): Case[] {
  return [
    {
      name: `${place.name}: a deleted record is gone for every way of reading, and no other is`,
      async run(context) {
        const row = await planted(context, place)
        const neighbour = another(place, row)
        const both = [row.id, neighbour.id]
        const where = [{ field: 'id', oneOf: both }] as const
        await write(context, place, (store) => store.insert(neighbour))
        expect(await write(context, place, (store) => store.softDelete(row.id, instant(9)))).toBe(true)
        await write(context, place, async (store) => {
          expect(await store.get(row.id), 'get').toBeUndefined()
          expect(await store.getForUpdate(row.id), 'getForUpdate').toBeUndefined()
          expect(await store.getToChange(row.id), 'getToChange').toBeUndefined()
          expect(await store.getForShare(row.id), 'getForShare').toBeUndefined()
          expect(await store.getMany(both), 'getMany').toEqual([neighbour])
          expect(await store.find(where), 'find').toEqual([neighbour])
          expect(await store.has([{ field: 'id', is: row.id }]), 'has').toBe(false)
          const page = await store.list({ page: 1, per_page: 5, order_by: 'id', order: 'asc', where })
          expect(page, 'list').toEqual({ rows: [neighbour], total: 1 })
        })
      },
    },
    {
      name: `${place.name}: softDelete answers false when there was nothing to delete`,
      async run(context) {
        const row = await planted(context, place)
        const remove = (id: string) => write(context, place, (store) => store.softDelete(id, instant(9)))
        expect(await remove(newId()), 'a record that never was').toBe(false)
        expect(await remove(row.id), 'a live record').toBe(true)
        expect(await remove(row.id), 'a deleted record').toBe(false)
      },
    },
    {
      name: `${place.name}: insert refuses an id that a record has, live or deleted`,
      async run(context) {
        const row = await planted(context, place)
        const again = () => write(context, place, (store) => store.insert(another(place, row, { id: row.id })))
        await expect(again()).rejects.toThrow()
        expect(await stored(context, place, row.id)).toEqual(row)
        await write(context, place, (store) => store.softDelete(row.id, instant(9)))
        await expect(again()).rejects.toThrow()
        expect(await stored(context, place, row.id)).toBeUndefined()
      },
    },
  ]
}
