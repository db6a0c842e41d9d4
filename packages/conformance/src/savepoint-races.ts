import { expect } from 'vitest'
import type { Case, Context } from './case.ts'
import { getCollection, getStored, KEYED, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, uniqueText } from './sample-rows.ts'

const PIPELINES = getCollection('pipelines')
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/** Savepoints in concurrent transactions, none of which waits for another: part of the group `savepoint`. */
export const savepointRaces: readonly Case[] = [
  {
    name: 'fails without affecting the other writes of twenty concurrent transactions',
    async run(context) {
      const row = await insertRow(context, KEYED)
      const kept = TWENTY.map(() => [cloneRow(KEYED, row), cloneRow(KEYED, row)])
      const runs = kept.map(([before, after], nth) => {
        return write(context, KEYED, async (store, tx) => {
          await store.insert(before!)
          const savepoint = tx.savepoint(async () => {
            await store.insert(cloneRow(KEYED, row))
            if (nth % 2 === 0) throw new Error('rolled back')
            await store.insert(cloneRow(KEYED, row, { key: row['key'] }))
          })
          await expect(savepoint).rejects.toThrow()
          await store.insert(after!)
        })
      })
      await Promise.all(runs)
      const all = await read(context, KEYED, (store) => store.find([]))
      expect(all.map(({ id }) => id).sort()).toEqual([row, ...kept.flat()].map(({ id }) => id).sort())
    },
  },
  {
    name: 'conflicts in nineteen of twenty transactions that insert one value, and all commit',
    async run(context) {
      const row = await insertRow(context, KEYED)
      const key = uniqueText('race')
      const runs = TWENTY.map(() => {
        const own = cloneRow(KEYED, row)
        return write(context, KEYED, async (store, tx) => {
          await store.insert(own)
          return tx
            .savepoint(() => store.insert(cloneRow(KEYED, row, { key })))
            .then(
              () => true,
              (error: unknown) => error,
            )
        })
      })
      const results = await Promise.all(runs)
      expect(results.filter((result) => result === true)).toHaveLength(1)
      for (const result of results)
        if (result !== true)
          expect(result).toMatchObject({ code: 'conflict', fields: { key: expect.any(String) } })
      expect(await read(context, KEYED, (store) => store.find([]))).toHaveLength(22)
    },
  },
  {
    name: 'holds its locks after it succeeds until the transaction ends',
    run: (context) =>
      expectTwentyIncrements(context, (store, id, savepoint) => savepoint(() => lockRow(store, id))),
  },
  {
    name: 'does not release earlier locks when it writes and throws',
    run: (context) =>
      expectTwentyIncrements(context, async (store, id, savepoint) => {
        const row = await lockRow(store, id)
        const failing = savepoint(async () => {
          await store.update({ ...row, name: 'rolled back' })
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        return row
      }),
  },
  {
    name: 'allows a lock it took to be taken again after it throws',
    run: (context) =>
      expectTwentyIncrements(context, async (store, id, savepoint) => {
        const failing = savepoint(async () => {
          await lockRow(store, id)
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        return lockRow(store, id)
      }),
  },
  {
    name: 'retries the transaction after a deadlock, even if the transaction catches the error',
    run: survivesDeadlock,
  },
]

type Savepoint = <T>(work: () => Promise<T>) => Promise<T>
type Lock = (store: RowStore, id: string, savepoint: Savepoint) => Promise<Row>

async function lockRow(store: RowStore, id: string): Promise<Row> {
  return (await store.getForUpdate(id)) as Row
}

/** Runs twenty concurrent transactions that lock a record, add one and write it. */
async function expectTwentyIncrements(context: Context, lock: Lock): Promise<void> {
  const { id } = await insertRow(context, PIPELINES, { name: '0' })
  const increments = TWENTY.map(() =>
    write(context, PIPELINES, async (store, tx) => {
      const row = await lock(store, id, (work) => tx.savepoint(work))
      for (let nth = 0; nth < 3; nth += 1) await store.get(id)
      await store.update({ ...row, name: String(Number(row['name']) + 1) })
    }),
  )
  await Promise.all(increments)
  expect(await getStored(context, PIPELINES, id)).toMatchObject({ name: '20' })
}

/** Two transactions lock the same records in opposite order, the second record in a savepoint. */
async function survivesDeadlock(context: Context): Promise<void> {
  const a = await insertRow(context, PIPELINES, { name: '0' })
  const b = await insertRow(context, PIPELINES, { name: '0' })
  const incrementBoth = ([first, second]: readonly [string, string]) =>
    write(context, PIPELINES, async (store, tx) => {
      await increment(store, first)
      await tx.savepoint(() => increment(store, second)).catch(() => undefined)
    })
  await Promise.all([incrementBoth([a.id, b.id]), incrementBoth([b.id, a.id])])
  expect(await getStored(context, PIPELINES, a.id)).toMatchObject({ name: '2' })
  expect(await getStored(context, PIPELINES, b.id)).toMatchObject({ name: '2' })
}

async function increment(store: RowStore, id: string): Promise<void> {
  const row = await lockRow(store, id)
  await store.get(id)
  await store.update({ ...row, name: String(Number(row['name']) + 1) })
}
