import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import { EVERY, OWN, type Place, placeOf, type Row, type RowStore, read, stored, write } from './places.ts'
import { another, emptied, instant, planted } from './samples.ts'
import { expectConflict } from './uniqueness.ts'

export const erasing: Group = {
  name: 'erase',
  cases: [
    ...EVERY.flatMap(ofErase),
    ...EVERY.flatMap((place) => [...place.unique, ...place.neverReused].map((field) => freesValue(place, field))),
    ...EVERY.flatMap((place) => place.neverReused.map((field) => keepsWhatIsTakenBack(place, field))),
    ...OWN.filter(({ refersTo }) => Object.keys(refersTo).length > 0).map(upTheReferences),
  ],
}

function ofErase(place: Place): Case[] {
  return [
    {
      name: `${place.name}: an erased record is gone for every way of reading, and no other is`,
      async run(context) {
        const row = await planted(context, place)
        const neighbour = another(place, row)
        const where = [{ field: 'id', oneOf: [row.id, neighbour.id] }] as const
        const gone = async (store: RowStore) => {
          expect(await store.get(row.id), 'get').toBeUndefined()
          expect(await store.getMany([row.id, neighbour.id]), 'getMany').toEqual([neighbour])
          expect(await store.find(where), 'find').toEqual([neighbour])
          expect(await store.has([{ field: 'id', is: row.id }]), 'has').toBe(false)
          const page = await store.list({ page: 1, per_page: 5, order_by: 'created_at', order: 'asc', where })
          expect(page, 'list').toEqual({ rows: [neighbour], total: 1 })
        }
        await write(context, place, async (store) => {
          await store.insert(neighbour)
          await store.erase(row.id)
          await gone(store)
          expect(await store.getForUpdate(row.id), 'getForUpdate').toBeUndefined()
          expect(await store.getToChange(row.id), 'getToChange').toBeUndefined()
          expect(await store.getForShare(row.id), 'getForShare').toBeUndefined()
          expect(await store.softDelete(row.id, instant(9)), 'softDelete').toBe(false)
          await store.update(row)
        })
        await read(context, place, gone)
      },
    },
    {
      name: `${place.name}: the id of an erased record can be inserted anew, whether it was live or deleted`,
      async run(context) {
        const row = await planted(context, place)
        const anew: Row[] = [emptied(place, another(place, row, { id: row.id })), another(place, row, { id: row.id })]
        for (const next of anew) {
          await write(context, place, async (store) => {
            await store.erase(row.id)
            await store.insert(next)
            expect(await store.get(row.id)).toEqual(next)
          })
          expect(await stored(context, place, row.id)).toEqual(next)
          await write(context, place, (store) => store.softDelete(row.id, instant(9)))
        }
        await write(context, place, (store) => store.erase(row.id))
        await write(context, place, (store) => store.insert(row))
        expect(await stored(context, place, row.id)).toEqual(row)
      },
    },
    {
      name: `${place.name}: erasing what is not there does nothing`,
      async run(context) {
        const row = await planted(context, place)
        const next = another(place, row)
        await write(context, place, async (store) => {
          await store.insert(next)
          for (const id of [newId(), next.id, next.id]) expect(await store.erase(id)).toBeUndefined()
        })
        expect(await stored(context, place, row.id)).toEqual(row)
        expect(await stored(context, place, next.id)).toBeUndefined()
      },
    },
  ]
}

function freesValue(place: Place, field: string): Case {
  return {
    name: `${place.name}.${field}: an erased record frees its value, live or deleted, in the same transaction already`,
    async run(context) {
      const row = await planted(context, place)
      const [heir, last] = [1, 2].map(() => another(place, row, { [field]: row[field] })) as [Row, Row]
      await write(context, place, async (store) => {
        await store.erase(row.id)
        await store.insert(heir)
      })
      await expectConflict(
        write(context, place, (store) => store.insert(row)),
        field,
      )
      await write(context, place, async (store) => {
        await store.softDelete(heir.id, instant(9))
        await store.erase(heir.id)
        await store.insert(last)
      })
      expect(await stored(context, place, last.id)).toEqual(last)
    },
  }
}

function keepsWhatIsTakenBack(place: Place, field: string): Case {
  return {
    name: `${place.name}.${field}: a deleted record keeps its value when it was erased in a transaction that failed`,
    async run(context) {
      const row = await planted(context, place)
      const heir = another(place, row, { [field]: row[field] })
      await write(context, place, (store) => store.softDelete(row.id, instant(9)))
      const failing = write(context, place, async (store) => {
        await store.erase(row.id)
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      await expectConflict(
        write(context, place, (store) => store.insert(heir)),
        field,
      )
    },
  }
}

function upTheReferences(place: Place): Case {
  return {
    name: `${place.name}: once a record is erased, nothing keeps what it referred to from being erased`,
    async run(context) {
      const row = await planted(context, place)
      const targets = Object.entries(place.refersTo).filter(([field]) => row[field] !== null)
      await write(context, place, async (store, tx) => {
        await store.erase(row.id)
        for (const [field, target] of targets)
          await placeOf(target)
            .storeIn(tx, context.workspace)
            .erase(row[field] as string)
      })
      expect(await stored(context, place, row.id)).toBeUndefined()
      for (const [field, target] of targets) expect(await stored(context, placeOf(target), row[field] as string), field).toBeUndefined()
    },
  }
}
