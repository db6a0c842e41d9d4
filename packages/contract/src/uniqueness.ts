import { CrmError } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import { EVERY, OWN, type Place, type RowStore, stored, write } from './places.ts'
import { another, distinct, instant, planted } from './samples.ts'

export const uniqueness: Group = {
  name: 'uniqueness',
  cases: [
    ...EVERY.flatMap((place) => [...place.unique, ...place.neverReused].flatMap((field) => ofDistinct(place, field))),
    ...EVERY.flatMap((place) => place.unique.flatMap((field) => ofUnique(place, field))),
    ...EVERY.flatMap((place) => place.unique.filter((field) => place.nullable.includes(field)).map((field) => manyNulls(place, field))),
    ...EVERY.flatMap((place) => place.neverReused.map((field) => keptByDeleted(place, field))),
    ...OWN.flatMap((place) => [...place.unique, ...place.neverReused].map((field) => perWorkspace(place, field))),
  ],
}

/** A store may refuse in the call or at the commit. Either way it is `transact` that rejects. */
export async function expectConflict(refused: Promise<unknown>, field: string, label?: string): Promise<void> {
  const error = await refused.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error, label).toBeInstanceOf(CrmError)
  expect(error, label).toMatchObject({ code: 'conflict', fields: { [field]: expect.any(String) } })
  expect(Object.keys((error as CrmError).fields ?? {}), label).toEqual([field])
}

function ofDistinct(place: Place, field: string): Case[] {
  return [
    {
      name: `${place.name}.${field}: a taken value is a conflict on ${field}, for insert, insertMany and update`,
      async run(context) {
        const first = await planted(context, place)
        const second = another(place, first)
        await write(context, place, (store) => store.insert(second))
        const value = { [field]: first[field] }
        const tries: Readonly<Record<string, (store: RowStore) => Promise<void>>> = {
          insert: (store) => store.insert(another(place, first, value)),
          insertMany: (store) => store.insertMany([another(place, first), another(place, first, value)]),
          update: (store) => store.update({ ...second, ...value }),
        }
        for (const [verb, use] of Object.entries(tries)) await expectConflict(write(context, place, use), field, verb)
        expect(await stored(context, place, second.id)).toEqual(second)
      },
    },
    {
      name: `${place.name}.${field}: a record keeps its own value when it is updated`,
      async run(context) {
        const row = await planted(context, place)
        const changed = { ...row, updated_at: instant(9) }
        await write(context, place, (store) => store.update(changed))
        expect(await stored(context, place, row.id)).toEqual(changed)
      },
    },
    {
      name: `${place.name}.${field}: a record frees the value it gives up, in the same transaction already`,
      async run(context) {
        const row = await planted(context, place)
        const heir = another(place, row, { [field]: row[field] })
        await write(context, place, async (store) => {
          await store.update({ ...row, [field]: distinct(field) })
          await store.insert(heir)
        })
        expect(await stored(context, place, heir.id)).toEqual(heir)
      },
    },
    {
      name: `${place.name}.${field}: values that differ in case, in accents or in white space at the end are different`,
      async run(context) {
        const first = await planted(context, place)
        const end = distinct('')
        const alike = [`é${end}`, `É${end}`, `e\u0301${end}`, `e${end}`, `e${end} `]
        const rows = alike.map((value) => another(place, first, { [field]: value }))
        await write(context, place, (store) => store.insertMany(rows))
        for (const row of rows) expect(await stored(context, place, row.id)).toEqual(row)
      },
    },
    {
      name: `${place.name}.${field}: of twenty at once that insert one value, one wins and nineteen get the conflict`,
      async run(context) {
        const first = await planted(context, place)
        const value = distinct('race')
        const rows = Array.from({ length: 20 }, () => another(place, first, { [field]: value }))
        const tries = rows.map((row) => write(context, place, (store) => store.insert(row)))
        const results = await Promise.allSettled(tries)
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const lost = tries.filter((_, index) => results[index]?.status === 'rejected')
        for (const refused of lost) await expectConflict(refused, field)
        expect(await write(context, place, (store) => store.find([{ field, is: value }]))).toHaveLength(1)
      },
    },
  ]
}

function ofUnique(place: Place, field: string): Case[] {
  const insertAgain = (context: Context, row: Awaited<ReturnType<typeof planted>>) => {
    return write(context, place, (store) => store.insert(another(place, row, { [field]: row[field] })))
  }
  return [
    {
      name: `${place.name}.${field}: a deleted record frees its value, in the same transaction already`,
      async run(context) {
        const row = await planted(context, place)
        await write(context, place, (store) => store.softDelete(row.id, instant(9)))
        const heir = another(place, row, { [field]: row[field] })
        await write(context, place, (store) => store.insert(heir))
        await expectConflict(insertAgain(context, row), field)
        await write(context, place, async (store) => {
          await store.softDelete(heir.id, instant(9))
          await store.insert(another(place, row, { [field]: row[field] }))
        })
        await expectConflict(insertAgain(context, row), field)
      },
    },
    {
      name: `${place.name}.${field}: a value whose insert was rolled back is free`,
      async run(context) {
        const first = await planted(context, place)
        const row = another(place, first)
        const undone = write(context, place, async (store) => {
          await store.insert(row)
          throw new Error('undone')
        })
        await expect(undone).rejects.toThrow('undone')
        await write(context, place, (store) => store.insert(row))
        expect(await stored(context, place, row.id)).toEqual(row)
      },
    },
  ]
}

function manyNulls(place: Place, field: string): Case {
  return {
    name: `${place.name}.${field}: any number of records hold null`,
    async run(context) {
      const row = await planted(context, place)
      const rows = [1, 2].map(() => another(place, row, { [field]: null }))
      await write(context, place, (store) => store.insertMany(rows))
      for (const each of rows) expect(await stored(context, place, each.id)).toEqual(each)
    },
  }
}

function keptByDeleted(place: Place, field: string): Case {
  return {
    name: `${place.name}.${field}: a deleted record keeps its value for ever`,
    async run(context) {
      const row = await planted(context, place)
      await write(context, place, (store) => store.softDelete(row.id, instant(9)))
      await expectConflict(
        write(context, place, (store) => store.insert(another(place, row, { [field]: row[field] }))),
        field,
      )
    },
  }
}

function perWorkspace(place: Place, field: string): Case {
  return {
    name: `${place.name}.${field}: another workspace may have the same value`,
    async run(context) {
      const theirs = await planted({ storage: context.storage, workspace: context.elsewhere }, place)
      const mine = await planted(context, place, { [field]: theirs[field] })
      expect(await stored(context, place, mine.id)).toEqual(mine)
    },
  }
}
