import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import { EVERY, type Place, placeOf, type Row, read, stored, write } from './places.ts'
import { another, distinct, emptied, planted } from './samples.ts'

export const insertMany: Group = {
  name: 'insertMany',
  cases: [
    ...EVERY.map(manyOf),
    {
      name: 'none is nothing, and the transaction goes on',
      async run(context) {
        const pipelines = placeOf('pipelines')
        const row = await planted(context, pipelines)
        const next = another(pipelines, row)
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
        const types = placeOf('task_types')
        const row = await planted(context, types)
        const rows = Array.from({ length: 50 }, () => another(types, row))
        const twice = distinct('key')
        const batches = [
          [...rows, another(types, row, { key: row['key'] })],
          [another(types, row, { key: twice }), ...rows, another(types, row, { key: twice })],
        ]
        for (const batch of batches) {
          const refused = write(context, types, (store) => store.insertMany(batch))
          await expect(refused).rejects.toMatchObject({ code: 'conflict', fields: { key: expect.any(String) } })
          expect(await read(context, types, (store) => store.find([]))).toEqual([row])
        }
      },
    },
  ],
}

function manyOf(place: Place): Case {
  return {
    name: `${place.name}: one and five hundred come back as they went in`,
    async run(context) {
      const row = await planted(context, place)
      const one = emptied(place, another(place, row))
      const rows = Array.from({ length: 500 }, () => another(place, row))
      await write(context, place, async (store) => {
        await store.insertMany([one])
        await store.insertMany(rows)
      })
      expect(await stored(context, place, one.id)).toEqual(one)
      const back = await read(context, place, (store) => store.getMany(rows.map(({ id }) => id)))
      expect(inOrderOfId(back)).toEqual(inOrderOfId(rows))
    },
  }
}

function inOrderOfId(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}
