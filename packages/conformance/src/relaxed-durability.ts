import type { Storage } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, leaveTransactions } from './case.ts'
import { getCollection, getStored, KEYED, type Row, read, type Work, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { expectConflict } from './uniqueness.ts'

const PIPELINES = getCollection('pipelines')
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/**
 * Guarantees that relaxed transactions share with durable ones. The suite cannot check that a power cut never
 * undoes part of one.
 */
export const relaxedDurability: Group = {
  name: 'relaxed durability',
  cases: [
    {
      name: 'resolves with the value of the work once its writes are visible to later calls',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        for (const round of TWENTY) {
          const result = await transactRelaxed(context, async (store) => {
            await store.update({ ...row, name: String(round + 1) })
            return { of: round }
          })
          expect(result).toEqual({ of: round })
          const reads = [
            await getStored(context, PIPELINES, row.id),
            await write(context, PIPELINES, (store) => store.get(row.id)),
            await transactRelaxed(context, (store) => store.get(row.id)),
          ]
          expect(reads.map((each) => each?.['name'])).toEqual(reads.map(() => String(round + 1)))
        }
      },
    },
    {
      name: 'hides uncommitted writes from other transactions',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: 'before' })
        const reads: Promise<Row | undefined>[] = []
        const outside = leaveTransactions()
        const failing = transactRelaxed(context, async (store) => {
          await store.update({ ...row, name: 'never' })
          reads.push(outside(() => getStored(context, PIPELINES, row.id)))
          for (const _ of TWENTY) await store.get(row.id)
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        expect(await Promise.all(reads)).toEqual([row])
      },
    },
    {
      name: 'rolls back when the work throws, and rejects with its error unchanged',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const [next, error] = [cloneRow(PIPELINES, row), Object.assign(new Error('mine'), { code: '23505' })]
        const failing = transactRelaxed(context, async (store) => {
          await store.insert(next)
          await store.softDelete(row.id, instant(9))
          throw error
        })
        await expect(failing).rejects.toBe(error)
        expect(await read(context, PIPELINES, (store) => store.getMany([row.id, next.id]))).toEqual([row])
      },
    },
    {
      name: 'rolls back and rejects when a write fails that the work does not await',
      async run(context) {
        const row = await insertRow(context, KEYED)
        const next = cloneRow(KEYED, row)
        const failing = transactRelaxed(
          context,
          async (store) => {
            await store.insert(next)
            void store.insert(cloneRow(KEYED, row, { key: row['key'] }))
          },
          KEYED,
        )
        await expectConflict(failing, 'key')
        expect(await getStored(context, KEYED, next.id)).toBeUndefined()
      },
    },
    {
      name: 'rolls back a failed savepoint alone',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const [kept, gone] = [cloneRow(PIPELINES, row), cloneRow(PIPELINES, row)]
        await transactRelaxed(context, async (store, tx) => {
          await store.insert(kept)
          const savepoint = tx.savepoint(() =>
            store.insert(gone).then(() => Promise.reject(new Error('rolled back'))),
          )
          await expect(savepoint).rejects.toThrow('rolled back')
        })
        expect(await read(context, PIPELINES, (store) => store.getMany([kept.id, gone.id]))).toEqual([kept])
      },
    },
    {
      name: 'rolls back only those that throw among twenty transactions of both durabilities',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const rows = TWENTY.map(() => cloneRow(PIPELINES, row))
        const results = await Promise.allSettled(
          rows.map((each, nth) =>
            transactAlternating(
              context,
              nth,
            )((tx) =>
              PIPELINES.storeIn(tx, context.workspace)
                .insert(each)
                .then(() => {
                  if (shouldThrow(nth)) throw new Error('rolled back')
                }),
            ),
          ),
        )
        expect(results.map(({ status }) => status)).toEqual(
          TWENTY.map((nth) => (shouldThrow(nth) ? 'rejected' : 'fulfilled')),
        )
        const stored = await read(context, PIPELINES, (store) => store.getMany(rows.map(({ id }) => id)))
        const committed = rows.filter((_, nth) => !shouldThrow(nth))
        expect(stored.map(({ id }) => id).sort()).toEqual(committed.map(({ id }) => id).sort())
      },
    },
    {
      name: 'counts twenty concurrent increments with getForUpdate, every other one relaxed',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        await Promise.all(TWENTY.map((nth) => incrementRows(context, [row.id], nth)))
        expect(await getStored(context, PIPELINES, row.id)).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'commits two transactions that lock records in opposite order, one of them relaxed',
      async run(context) {
        const a = await insertRow(context, PIPELINES, { name: '0' })
        const b = await insertRow(context, PIPELINES, { name: '0' })
        await Promise.all([incrementRows(context, [a.id, b.id], 0), incrementRows(context, [b.id, a.id], 1)])
        expect(await getStored(context, PIPELINES, a.id)).toMatchObject({ name: '2' })
        expect(await getStored(context, PIPELINES, b.id)).toMatchObject({ name: '2' })
      },
    },
    {
      name: 'calls listeners after a commit that notifies',
      async run({ storage }) {
        let calls = 0
        const unsubscribe = storage.onNotify(() => {
          calls += 1
        })
        for (const _ of TWENTY) {
          const before = calls
          await storage.transact(async (tx) => tx.notify(), { durability: 'relaxed' })
          for (let reads = 0; reads < 500 && calls === before; reads += 1)
            await storage.read((tx) => tx.workspaces.has([]))
          expect(calls).toBeGreaterThan(before)
        }
        unsubscribe()
      },
    },
  ],
}

function transactRelaxed<T>({ storage, workspace }: Context, work: Work<T>, spec = PIPELINES): Promise<T> {
  return storage.transact((tx) => work(spec.storeIn(tx, workspace), tx), { durability: 'relaxed' })
}

/** Returns `transact`, relaxed for odd `nth`. */
function transactAlternating({ storage }: Context, nth: number): Storage['transact'] {
  return (work) =>
    nth % 2 === 0 ? storage.transact(work) : storage.transact(work, { durability: 'relaxed' })
}

/** Selects half of the transactions of each durability. */
function shouldThrow(nth: number): boolean {
  return nth % 4 < 2
}

function incrementRows(context: Context, ids: readonly string[], nth: number): Promise<void> {
  return transactAlternating(
    context,
    nth,
  )(async (tx) => {
    const store = PIPELINES.storeIn(tx, context.workspace)
    for (const id of ids) {
      const row = (await store.getForUpdate(id)) as Row
      await store.get(id)
      await store.update({ ...row, name: String(Number(row['name']) + 1) })
    }
  })
}
