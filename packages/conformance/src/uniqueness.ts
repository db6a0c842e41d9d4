import { CrmError } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getStored,
  type RowStore,
  WORKSPACE_COLLECTIONS,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant, uniqueText } from './sample-rows.ts'

export const uniqueness: Group = {
  name: 'uniqueness',
  cases: [
    ...ALL_COLLECTIONS.flatMap((spec) =>
      [...spec.unique, ...spec.uniqueForever].flatMap((field) => distinctCases(spec, field)),
    ),
    ...ALL_COLLECTIONS.flatMap((spec) => spec.unique.flatMap((field) => uniqueCases(spec, field))),
    ...ALL_COLLECTIONS.flatMap((spec) =>
      spec.unique
        .filter((field) => spec.nullable.includes(field))
        .map((field) => allowsManyNulls(spec, field)),
    ),
    ...ALL_COLLECTIONS.flatMap((spec) => spec.uniqueForever.map((field) => keepsValueOfDeleted(spec, field))),
    ...WORKSPACE_COLLECTIONS.flatMap((spec) =>
      [...spec.unique, ...spec.uniqueForever].map((field) => allowsSameValueElsewhere(spec, field)),
    ),
  ],
}

/** A store may refuse in the call or at the commit. Either way it is `transact` that rejects. */
export async function expectConflict(
  failing: Promise<unknown>,
  field: string,
  label?: string,
): Promise<void> {
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error, label).toBeInstanceOf(CrmError)
  expect(error, label).toMatchObject({ code: 'conflict', fields: { [field]: expect.any(String) } })
  expect(Object.keys((error as CrmError).fields ?? {}), label).toEqual([field])
}

function distinctCases(spec: CollectionSpec, field: string): Case[] {
  return [
    {
      name: `${spec.name}.${field}: a taken value is a conflict on ${field}, for insert, insertMany and update`,
      async run(context) {
        const first = await insertRow(context, spec)
        const second = cloneRow(spec, first)
        await write(context, spec, (store) => store.insert(second))
        const value = { [field]: first[field] }
        const tries: Readonly<Record<string, (store: RowStore) => Promise<void>>> = {
          insert: (store) => store.insert(cloneRow(spec, first, value)),
          insertMany: (store) => store.insertMany([cloneRow(spec, first), cloneRow(spec, first, value)]),
          update: (store) => store.update({ ...second, ...value }),
        }
        for (const [verb, use] of Object.entries(tries))
          await expectConflict(write(context, spec, use), field, verb)
        expect(await getStored(context, spec, second.id)).toEqual(second)
      },
    },
    {
      name: `${spec.name}.${field}: a record keeps its own value when it is updated`,
      async run(context) {
        const row = await insertRow(context, spec)
        const changed = { ...row, updated_at: instant(9) }
        await write(context, spec, (store) => store.update(changed))
        expect(await getStored(context, spec, row.id)).toEqual(changed)
      },
    },
    {
      name: `${spec.name}.${field}: a record frees the value it gives up, in the same transaction already`,
      async run(context) {
        const row = await insertRow(context, spec)
        const heir = cloneRow(spec, row, { [field]: row[field] })
        await write(context, spec, async (store) => {
          await store.update({ ...row, [field]: uniqueText(field) })
          await store.insert(heir)
        })
        expect(await getStored(context, spec, heir.id)).toEqual(heir)
      },
    },
    {
      name: `${spec.name}.${field}: values that differ in case, in accents or in white space at the end are different`,
      async run(context) {
        const first = await insertRow(context, spec)
        const end = uniqueText('')
        const alike = [`é${end}`, `É${end}`, `e\u0301${end}`, `e${end}`, `e${end} `]
        const rows = alike.map((value) => cloneRow(spec, first, { [field]: value }))
        await write(context, spec, (store) => store.insertMany(rows))
        for (const row of rows) expect(await getStored(context, spec, row.id)).toEqual(row)
      },
    },
    {
      name: `${spec.name}.${field}: of twenty at once that insert one value, one wins and nineteen get the conflict`,
      async run(context) {
        const first = await insertRow(context, spec)
        const value = uniqueText('race')
        const rows = Array.from({ length: 20 }, () => cloneRow(spec, first, { [field]: value }))
        const tries = rows.map((row) => write(context, spec, (store) => store.insert(row)))
        const results = await Promise.allSettled(tries)
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const lost = tries.filter((_, index) => results[index]?.status === 'rejected')
        for (const failing of lost) await expectConflict(failing, field)
        expect(await write(context, spec, (store) => store.find([{ field, is: value }]))).toHaveLength(1)
      },
    },
  ]
}

function uniqueCases(spec: CollectionSpec, field: string): Case[] {
  const insertAgain = (context: Context, row: Awaited<ReturnType<typeof insertRow>>) => {
    return write(context, spec, (store) => store.insert(cloneRow(spec, row, { [field]: row[field] })))
  }
  return [
    {
      name: `${spec.name}.${field}: a deleted record frees its value, in the same transaction already`,
      async run(context) {
        const row = await insertRow(context, spec)
        await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
        const heir = cloneRow(spec, row, { [field]: row[field] })
        await write(context, spec, (store) => store.insert(heir))
        await expectConflict(insertAgain(context, row), field)
        await write(context, spec, async (store) => {
          await store.softDelete(heir.id, instant(9))
          await store.insert(cloneRow(spec, row, { [field]: row[field] }))
        })
        await expectConflict(insertAgain(context, row), field)
      },
    },
    {
      name: `${spec.name}.${field}: a value whose insert was rolled back is free`,
      async run(context) {
        const first = await insertRow(context, spec)
        const row = cloneRow(spec, first)
        const undone = write(context, spec, async (store) => {
          await store.insert(row)
          throw new Error('undone')
        })
        await expect(undone).rejects.toThrow('undone')
        await write(context, spec, (store) => store.insert(row))
        expect(await getStored(context, spec, row.id)).toEqual(row)
      },
    },
  ]
}

function allowsManyNulls(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: any number of records hold null`,
    async run(context) {
      const row = await insertRow(context, spec)
      const rows = [1, 2].map(() => cloneRow(spec, row, { [field]: null }))
      await write(context, spec, (store) => store.insertMany(rows))
      for (const each of rows) expect(await getStored(context, spec, each.id)).toEqual(each)
    },
  }
}

function keepsValueOfDeleted(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: a deleted record keeps its value for ever`,
    async run(context) {
      const row = await insertRow(context, spec)
      await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
      await expectConflict(
        write(context, spec, (store) => store.insert(cloneRow(spec, row, { [field]: row[field] }))),
        field,
      )
    },
  }
}

function allowsSameValueElsewhere(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: another workspace may have the same value`,
    async run(context) {
      const theirs = await insertRow({ storage: context.storage, workspace: context.otherWorkspace }, spec)
      const mine = await insertRow(context, spec, { [field]: theirs[field] })
      expect(await getStored(context, spec, mine.id)).toEqual(mine)
    },
  }
}
