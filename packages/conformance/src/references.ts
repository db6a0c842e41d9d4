import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import {
  type CollectionSpec,
  getCollection,
  getStored,
  type Row,
  type RowStore,
  WORKSPACE_COLLECTIONS,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

export const references: Group = {
  name: 'references',
  cases: WORKSPACE_COLLECTIONS.flatMap((spec) =>
    Object.entries(spec.foreignKeys).flatMap(([field, target]) =>
      referenceCases(spec, field, getCollection(target)),
    ),
  ),
}

function referenceCases(spec: CollectionSpec, field: string, target: CollectionSpec): Case[] {
  const refusesEveryWrite = async (context: Context, id: string) => {
    const row = await insertRow(context, spec)
    const stray = cloneRow(spec, row, { [field]: id })
    const tries: Readonly<Record<string, (store: RowStore) => Promise<void>>> = {
      insert: (store) => store.insert(stray),
      insertMany: (store) => store.insertMany([cloneRow(spec, row), stray]),
      update: (store) => store.update({ ...row, [field]: id }),
    }
    for (const [verb, use] of Object.entries(tries))
      await expect(write(context, spec, use), verb).rejects.toThrow()
    expect(await getStored(context, spec, stray.id)).toBeUndefined()
    expect(await getStored(context, spec, row.id)).toEqual(row)
  }
  return [
    {
      name: `${spec.name}.${field}: a record of another workspace is refused by insert, insertMany and update`,
      async run(context) {
        const theirs = await insertRow(
          { storage: context.storage, workspace: context.otherWorkspace },
          target,
        )
        await refusesEveryWrite(context, theirs.id)
      },
    },
    {
      name: `${spec.name}.${field}: a record that is nowhere is refused by insert, insertMany and update`,
      run: (context) => refusesEveryWrite(context, newId()),
    },
    {
      name: `${spec.name}.${field}: a deleted record may be referred to, and deleting it changes no record`,
      async run(context) {
        const row = await insertRow(context, spec)
        const gone = await insertRow(context, target)
        await write(context, target, (store) => store.softDelete(gone.id, instant(9)))
        await write(context, target, (store) => store.softDelete(row[field] as string, instant(9)))
        expect(await getStored(context, spec, row.id)).toEqual(row)
        const late: Row = cloneRow(spec, row, { [field]: gone.id })
        await write(context, spec, (store) => store.insert(late))
        expect(await getStored(context, spec, late.id)).toEqual(late)
      },
    },
  ]
}
