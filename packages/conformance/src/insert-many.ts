import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  KEYED,
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
      name: 'accepts an empty list, and the transaction continues',
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
      name: 'inserts nothing if one record conflicts, with a stored record or within the batch',
      async run(context) {
        const row = await insertRow(context, KEYED)
        const rows = Array.from({ length: 50 }, () => cloneRow(KEYED, row))
        const duplicateKey = uniqueText('key')
        const batches = [
          [...rows, cloneRow(KEYED, row, { key: row['key'] })],
          [cloneRow(KEYED, row, { key: duplicateKey }), ...rows, cloneRow(KEYED, row, { key: duplicateKey })],
        ]
        for (const batch of batches) {
          const conflicting = write(context, KEYED, (store) => store.insertMany(batch))
          await expect(conflicting).rejects.toMatchObject({
            code: 'conflict',
            fields: { key: expect.any(String) },
          })
          expect(await read(context, KEYED, (store) => store.find([]))).toEqual([row])
        }
      },
    },
  ],
}

function insertsMany(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: inserts one and five hundred records unchanged`,
    async run(context) {
      const row = await insertRow(context, spec)
      const one = withNulls(spec, cloneRow(spec, row))
      const rows = Array.from({ length: 500 }, () => cloneRow(spec, row))
      await write(context, spec, async (store) => {
        await store.insertMany([one])
        await store.insertMany(rows)
      })
      expect(await getStored(context, spec, one.id)).toEqual(one)
      const stored = await read(context, spec, (store) => store.getMany(rows.map(({ id }) => id)))
      expect(sortById(stored)).toEqual(sortById(rows))
    },
  }
}

function sortById(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}
