import { expect } from 'vitest'
import type { Case, Context } from './case.ts'
import { getCollection, getStored, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, uniqueText } from './sample-rows.ts'

const [PIPELINES, TYPES] = [getCollection('pipelines'), getCollection('task_types')]
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/** Transactions at once, with parts that fail or hold: part of `attempt`. No case waits in one for what another does. */
export const savepointRaces: readonly Case[] = [
  {
    name: 'of twenty transactions at once, each keeps what it wrote around a part that failed',
    async run(context) {
      const row = await insertRow(context, TYPES)
      const kept = TWENTY.map(() => [cloneRow(TYPES, row), cloneRow(TYPES, row)])
      const works = kept.map(([before, after], nth) => {
        return write(context, TYPES, async (store, tx) => {
          await store.insert(before!)
          const part = tx.savepoint(async () => {
            await store.insert(cloneRow(TYPES, row))
            if (nth % 2 === 0) throw new Error('undone')
            await store.insert(cloneRow(TYPES, row, { key: row['key'] }))
          })
          await expect(part).rejects.toThrow()
          await store.insert(after!)
        })
      })
      await Promise.all(works)
      const all = await read(context, TYPES, (store) => store.find([]))
      expect(all.map(({ id }) => id).sort()).toEqual([row, ...kept.flat()].map(({ id }) => id).sort())
    },
  },
  {
    name: 'of twenty at once that attempt one value, one has it, nineteen get the conflict there, and all are committed',
    async run(context) {
      const row = await insertRow(context, TYPES)
      const key = uniqueText('race')
      const won = TWENTY.map(() => {
        const mine = cloneRow(TYPES, row)
        return write(context, TYPES, async (store, tx) => {
          await store.insert(mine)
          return tx
            .savepoint(() => store.insert(cloneRow(TYPES, row, { key })))
            .then(
              () => true,
              (error: unknown) => error,
            )
        })
      })
      const answers = await Promise.all(won)
      expect(answers.filter((answer) => answer === true)).toHaveLength(1)
      for (const answer of answers)
        if (answer !== true)
          expect(answer).toMatchObject({ code: 'conflict', fields: { key: expect.any(String) } })
      expect(await read(context, TYPES, (store) => store.find([]))).toHaveLength(22)
    },
  },
  {
    name: 'getForUpdate in a part that succeeds holds the record until the transaction ends',
    run: (context) =>
      expectTwentyIncrements(context, (store, id, savepoint) => savepoint(() => lockRow(store, id))),
  },
  {
    name: 'what was held before a part that wrote and threw is held after it',
    run: (context) =>
      expectTwentyIncrements(context, async (store, id, savepoint) => {
        const row = await lockRow(store, id)
        const part = savepoint(async () => {
          await store.update({ ...row, name: 'undone' })
          throw new Error('undone')
        })
        await expect(part).rejects.toThrow('undone')
        return row
      }),
  },
  {
    name: 'what a part held that threw can be held again',
    run: (context) =>
      expectTwentyIncrements(context, async (store, id, savepoint) => {
        const part = savepoint(async () => {
          await lockRow(store, id)
          throw new Error('undone')
        })
        await expect(part).rejects.toThrow('undone')
        return lockRow(store, id)
      }),
  },
  {
    name: 'a deadlock within a part is not its transaction to hear of, though it catches what the part throws',
    run: survivesDeadlock,
  },
]

type Savepoint = <T>(part: () => Promise<T>) => Promise<T>
type Lock = (store: RowStore, id: string, savepoint: Savepoint) => Promise<Row>

async function lockRow(store: RowStore, id: string): Promise<Row> {
  return (await store.getForUpdate(id)) as Row
}

/** Twenty at once that hold a record, add one and write. */
async function expectTwentyIncrements(context: Context, lock: Lock): Promise<void> {
  const { id } = await insertRow(context, PIPELINES, { name: '0' })
  const adding = TWENTY.map(() =>
    write(context, PIPELINES, async (store, tx) => {
      const row = await lock(store, id, (part) => tx.savepoint(part))
      for (let turn = 0; turn < 3; turn += 1) await store.get(id)
      await store.update({ ...row, name: String(Number(row['name']) + 1) })
    }),
  )
  await Promise.all(adding)
  expect(await getStored(context, PIPELINES, id)).toMatchObject({ name: '20' })
}

/** Two that hold the same records in opposite order, the second of them in a part. */
async function survivesDeadlock(context: Context): Promise<void> {
  const a = await insertRow(context, PIPELINES, { name: '0' })
  const b = await insertRow(context, PIPELINES, { name: '0' })
  const both = ([first, second]: readonly [string, string]) =>
    write(context, PIPELINES, async (store, tx) => {
      await increment(store, first)
      await tx.savepoint(() => increment(store, second)).catch(() => undefined)
    })
  await Promise.all([both([a.id, b.id]), both([b.id, a.id])])
  expect(await getStored(context, PIPELINES, a.id)).toMatchObject({ name: '2' })
  expect(await getStored(context, PIPELINES, b.id)).toMatchObject({ name: '2' })
}

async function increment(store: RowStore, id: string): Promise<void> {
  const row = await lockRow(store, id)
  await store.get(id)
  await store.update({ ...row, name: String(Number(row['name']) + 1) })
}
