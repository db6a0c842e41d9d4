import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  type Row,
  read,
  write,
} from './collections.ts'
import { cloneRow, insertRow, uniqueText, withNulls } from './sample-rows.ts'

export const insertMany: Group = {
  name: 'insertMany',
  cases: [
    ...ALL_COLLECTIONS.map(insertsMany),
    {
      name: 'none is nothing, and the transaction goes on',
      async run(context) {
        const pipelines = getCollection('pipelines')
        const row = await insertRow(context, pipelines)
        const next = cloneRow(pipelines, row)
        await write(context, pipelines, async (store) => {
          await store.insertMany([])
          await store.insert(next)
        })
        expect(await read(context, pipelines, (store) => store.getMany([row.id, next.id]))).toHaveLength(2)
      },
    },
    {
      name: 'one conflict among many, with a record or within the batch, leaves none of them',
      async run(context) {
        const types = getCollection('task_types')
        const row = await insertRow(context, types)
        const rows = Array.from({ length: 50 }, () => cloneRow(types, row))
        const twice = uniqueText('key')
        const batches = [
          [...rows, cloneRow(types, row, { key: row['key'] })],
          [cloneRow(types, row, { key: twice }), ...rows, cloneRow(types, row, { key: twice })],
        ]
        for (const batch of batches) {
          const refused = write(context, types, (store) => store.insertMany(batch))
          await expect(refused).rejects.toMatchObject({
            code: 'conflict',
            fields: { key: expect.any(String) },
          })
          expect(await read(context, types, (store) => store.find([]))).toEqual([row])
        }
      },
    },
  ],
}

function insertsMany(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: one and five hundred come back as they went in`,
    async run(context) {
      const row = await insertRow(context, spec)
      const one = withNulls(spec, cloneRow(spec, row))
      const rows = Array.from({ length: 500 }, () => cloneRow(spec, row))
      await write(context, spec, async (store) => {
        await store.insertMany([one])
        await store.insertMany(rows)
      })
      expect(await getStored(context, spec, one.id)).toEqual(one)
      const back = await read(context, spec, (store) => store.getMany(rows.map(({ id }) => id)))
      expect(sortById(back)).toEqual(sortById(rows))
    },
  }
}

function sortById(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}
