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

/** Expects a conflict on `field` alone. Whether the write fails at once or at commit, `transact` rejects. */
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
    conflictsOnTakenValue(spec, field),
    allowsOwnValue(spec, field),
    freesPreviousValue(spec, field),
    distinguishesSimilarValues(spec, field),
    acceptsOneOfConcurrentInserts(spec, field),
  ]
}

function conflictsOnTakenValue(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: insert, insertMany and update of a taken value conflict on ${field}`,
    async run(context) {
      const first = await insertRow(context, spec)
      const second = cloneRow(spec, first)
      await write(context, spec, (store) => store.insert(second))
      const value = { [field]: first[field] }
      const writes: Readonly<Record<string, (store: RowStore) => Promise<void>>> = {
        insert: (store) => store.insert(cloneRow(spec, first, value)),
        insertMany: (store) => store.insertMany([cloneRow(spec, first), cloneRow(spec, first, value)]),
        update: (store) => store.update({ ...second, ...value }),
      }
      for (const [method, call] of Object.entries(writes))
        await expectConflict(write(context, spec, call), field, method)
      expect(await getStored(context, spec, second.id)).toEqual(second)
    },
  }
}

function allowsOwnValue(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: update with the own value of the record causes no conflict`,
    async run(context) {
      const row = await insertRow(context, spec)
      const changed = { ...row, updated_at: instant(9) }
      await write(context, spec, (store) => store.update(changed))
      expect(await getStored(context, spec, row.id)).toEqual(changed)
    },
  }
}

function freesPreviousValue(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: update frees the previous value at once`,
    async run(context) {
      const row = await insertRow(context, spec)
      const next = cloneRow(spec, row, { [field]: row[field] })
      await write(context, spec, async (store) => {
        await store.update({ ...row, [field]: uniqueText(field) })
        await store.insert(next)
      })
      expect(await getStored(context, spec, next.id)).toEqual(next)
    },
  }
}

function distinguishesSimilarValues(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: values that differ in case, accents or trailing white space are distinct`,
    async run(context) {
      const first = await insertRow(context, spec)
      const suffix = uniqueText('')
      const values = [`é${suffix}`, `É${suffix}`, `e\u0301${suffix}`, `e${suffix}`, `e${suffix} `]
      const rows = values.map((value) => cloneRow(spec, first, { [field]: value }))
      await write(context, spec, (store) => store.insertMany(rows))
      for (const row of rows) expect(await getStored(context, spec, row.id)).toEqual(row)
    },
  }
}

function acceptsOneOfConcurrentInserts(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: one of twenty concurrent inserts of a value succeeds, others conflict`,
    async run(context) {
      const first = await insertRow(context, spec)
      const value = uniqueText('race')
      const rows = Array.from({ length: 20 }, () => cloneRow(spec, first, { [field]: value }))
      const inserts = rows.map((row) => write(context, spec, (store) => store.insert(row)))
      const results = await Promise.allSettled(inserts)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const rejected = inserts.filter((_, index) => results[index]?.status === 'rejected')
      for (const failing of rejected) await expectConflict(failing, field)
      expect(await write(context, spec, (store) => store.find([{ field, is: value }]))).toHaveLength(1)
    },
  }
}

function uniqueCases(spec: CollectionSpec, field: string): Case[] {
  const insertSameValue = (context: Context, row: Awaited<ReturnType<typeof insertRow>>) => {
    return write(context, spec, (store) => store.insert(cloneRow(spec, row, { [field]: row[field] })))
  }
  return [
    {
      name: `${spec.name}.${field}: softDelete frees the value at once`,
      async run(context) {
        const row = await insertRow(context, spec)
        await write(context, spec, (store) => store.softDelete(row.id, instant(9)))
        const next = cloneRow(spec, row, { [field]: row[field] })
        await write(context, spec, (store) => store.insert(next))
        await expectConflict(insertSameValue(context, row), field)
        await write(context, spec, async (store) => {
          await store.softDelete(next.id, instant(9))
          await store.insert(cloneRow(spec, row, { [field]: row[field] }))
        })
        await expectConflict(insertSameValue(context, row), field)
      },
    },
    {
      name: `${spec.name}.${field}: a value whose insert was rolled back is free`,
      async run(context) {
        const first = await insertRow(context, spec)
        const row = cloneRow(spec, first)
        const failing = write(context, spec, async (store) => {
          await store.insert(row)
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        await write(context, spec, (store) => store.insert(row))
        expect(await getStored(context, spec, row.id)).toEqual(row)
      },
    },
  ]
}

function allowsManyNulls(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: any number of records can hold null`,
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
    name: `${spec.name}.${field}: a soft-deleted record keeps its value forever`,
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
    name: `${spec.name}.${field}: two workspaces can hold the same value`,
    async run(context) {
      const tnexts = await insertRow({ storage: context.storage, workspace: context.otherWorkspace }, spec)
      const own = await insertRow(context, spec, { [field]: tnexts[field] })
      expect(await getStored(context, spec, own.id)).toEqual(own)
    },
  }
}
