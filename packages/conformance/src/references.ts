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
  const expectEveryWriteToFail = async (context: Context, id: string) => {
    const row = await insertRow(context, spec)
    const dangling = cloneRow(spec, row, { [field]: id })
    const writes: Readonly<Record<string, (store: RowStore) => Promise<void>>> = {
      insert: (store) => store.insert(dangling),
      insertMany: (store) => store.insertMany([cloneRow(spec, row), dangling]),
      update: (store) => store.update({ ...row, [field]: id }),
    }
    for (const [method, call] of Object.entries(writes))
      await expect(write(context, spec, call), method).rejects.toThrow()
    expect(await getStored(context, spec, dangling.id)).toBeUndefined()
    expect(await getStored(context, spec, row.id)).toEqual(row)
  }
  return [
    {
      name: `${spec.name}.${field}: insert, insertMany and update reject a record of another workspace`,
      async run(context) {
        const foreign = await insertRow(
          { storage: context.storage, workspace: context.otherWorkspace },
          target,
        )
        await expectEveryWriteToFail(context, foreign.id)
      },
    },
    {
      name: `${spec.name}.${field}: insert, insertMany and update reject a nonexistent record`,
      run: (context) => expectEveryWriteToFail(context, newId()),
    },
    {
      name: `${spec.name}.${field}: a deleted record can be referenced, and deleting it changes no record`,
      async run(context) {
        const row = await insertRow(context, spec)
        const deleted = await insertRow(context, target)
        await write(context, target, (store) => store.softDelete(deleted.id, instant(9)))
        await write(context, target, (store) => store.softDelete(row[field] as string, instant(9)))
        expect(await getStored(context, spec, row.id)).toEqual(row)
        const next: Row = cloneRow(spec, row, { [field]: deleted.id })
        await write(context, spec, (store) => store.insert(next))
        expect(await getStored(context, spec, next.id)).toEqual(next)
      },
    },
  ]
}
