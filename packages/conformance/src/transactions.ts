import { expect } from 'vitest'
import { type Context, type Group, leaveTransactions } from './case.ts'
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
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { type Call, WRITES } from './store-calls.ts'
import { transactionEnds } from './transaction-ends.ts'
import { expectConflict } from './uniqueness.ts'

const PIPELINES = getCollection('pipelines')

export const transactions: Group = {
  name: 'transactions',
  cases: [
    {
      name: 'transact resolves with the value of the work once the next read sees its writes',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const changed = { ...row, name: 'changed' }
        const result = await write(context, PIPELINES, async (store) => {
          await store.update(changed)
          return { of: 'the work' }
        })
        expect(result).toEqual({ of: 'the work' })
        expect(await getStored(context, PIPELINES, row.id)).toEqual(changed)
      },
    },
    ...ALL_COLLECTIONS.flatMap((spec) =>
      WRITES.map((call) => ({
        name: `${spec.name}: ${call.name} is rolled back when the work throws`,
        run: (context: Context) => rollsBack(context, spec, call),
      })),
    ),
    {
      name: 'transact and read reject with the error of the work, unchanged',
      async run({ storage }) {
        const error = Object.assign(new Error('mine'), { code: '23505', fields: { name: 'mine' } })
        const fail = () => Promise.reject(error)
        await expect(storage.transact(fail)).rejects.toBe(error)
        await expect(storage.read(fail)).rejects.toBe(error)
      },
    },
    {
      name: 'a read sees earlier writes of its transaction, awaited or not',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: 'first' })
        const next = cloneRow(PIPELINES, row, { name: 'next' })
        const many = ['many', 'more'].map((name) => cloneRow(PIPELINES, row, { name }))
        await write(context, PIPELINES, async (store) => {
          const [, inserted] = await Promise.all([store.insert(next), store.get(next.id)])
          expect(inserted, 'get after insert').toEqual(next)
          expect(
            await store.getForUpdate(next.id, { lock: 'optimistic' }),
            'getForUpdate with an optimistic lock after insert',
          ).toEqual(next)
          const [, rows] = await Promise.all([
            store.insertMany(many),
            store.getMany(many.map(({ id }) => id)),
          ])
          expect(rows, 'getMany after insertMany').toHaveLength(2)
          const [, updated] = await Promise.all([
            store.update({ ...row, name: 'changed' }),
            store.find([{ field: 'name', is: 'changed' }]),
          ])
          expect(updated, 'find after update').toEqual([{ ...row, name: 'changed' }])
          const [, exists] = await Promise.all([
            store.softDelete(next.id, instant(9)),
            store.has([{ field: 'id', is: next.id }]),
          ])
          expect(exists, 'has after softDelete').toBe(false)
          const query = { page: 1, per_page: 9, order_by: 'name', order: 'asc', where: [] } as const
          expect(await store.list(query), 'list').toEqual({
            rows: [{ ...row, name: 'changed' }, ...many],
            total: 3,
          })
        })
      },
    },
    {
      name: 'an uncommitted write is invisible to other transactions',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: 'before' })
        const reads: Promise<Row | undefined>[] = []
        const outside = leaveTransactions()
        const failing = write(context, PIPELINES, async (store) => {
          await store.update({ ...row, name: 'never' })
          // Not awaited here: a store may run this read only after the transaction.
          reads.push(outside(() => getStored(context, PIPELINES, row.id)))
          for (let nth = 0; nth < 20; nth += 1) await store.get(row.id)
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        expect(await Promise.all(reads), 'read by another transaction').toEqual(reads.map(() => row))
      },
    },
    {
      name: 'a conflict rolls back the whole transaction, and the next transaction works',
      async run(context) {
        const row = await insertRow(context, KEYED)
        const next = cloneRow(KEYED, row)
        const failing = write(context, KEYED, async (store) => {
          await store.insert(next)
          await store.insert(cloneRow(KEYED, row, { key: row['key'] }))
        })
        await expectConflict(failing, 'key')
        expect(await getStored(context, KEYED, next.id)).toBeUndefined()
        await write(context, KEYED, (store) => store.insert(next))
        expect(await getStored(context, KEYED, next.id)).toEqual(next)
      },
    },
    ...transactionEnds,
    {
      name: 'of twenty concurrent transactions, only those that throw are rolled back',
      async run(context) {
        const row = await insertRow(context, KEYED)
        const rows = Array.from({ length: 20 }, () => cloneRow(KEYED, row))
        const results = await Promise.allSettled(
          rows.map((each, nth) => insertOneOfTwenty(context, KEYED, row, each, nth)),
        )
        expect(results.map(({ status }) => status)).toEqual(
          rows.map((_, nth) => (isSuccessful(nth) ? 'fulfilled' : 'rejected')),
        )
        const stored = await read(context, KEYED, (store) => store.getMany(rows.map(({ id }) => id)))
        expect(stored.map(({ id }) => id).sort()).toEqual(
          rows
            .filter((_, nth) => isSuccessful(nth))
            .map(({ id }) => id)
            .sort(),
        )
      },
    },
    {
      name: 'a transaction over two workspaces and the shared collections is atomic',
      async run({ storage, workspace, otherWorkspace }) {
        const users = ALL_COLLECTIONS.find(({ name }) => name === 'users')!
        const [own, foreign] = [
          await insertRow({ storage, workspace }, PIPELINES),
          await insertRow({ storage, workspace: otherWorkspace }, PIPELINES),
        ]
        const user = await insertRow({ storage, workspace }, users)
        const failing = storage.transact(async (tx) => {
          await PIPELINES.storeIn(tx, workspace).softDelete(own.id, instant(9))
          await PIPELINES.storeIn(tx, otherWorkspace).softDelete(foreign.id, instant(9))
          await users.storeIn(tx, workspace).softDelete(user.id, instant(9))
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        expect(await getStored({ storage, workspace }, PIPELINES, own.id)).toEqual(own)
        expect(await getStored({ storage, workspace: otherWorkspace }, PIPELINES, foreign.id)).toEqual(
          foreign,
        )
        expect(await getStored({ storage, workspace }, users, user.id)).toEqual(user)
      },
    },
  ],
}

async function rollsBack(context: Context, spec: CollectionSpec, call: Call): Promise<void> {
  const row = await insertRow(context, spec)
  const next = cloneRow(spec, row)
  const failing = write(context, spec, async (store) => {
    await call.run(store, row, next)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await getStored(context, spec, row.id)).toEqual(row)
  expect(await getStored(context, spec, next.id)).toBeUndefined()
}

function isSuccessful(nth: number): boolean {
  return nth % 2 === 0
}

/** Inserts `row`. Every other call then fails, alternately by its own error and by a conflict. */
function insertOneOfTwenty(
  context: Context,
  spec: CollectionSpec,
  existing: Row,
  row: Row,
  nth: number,
): Promise<void> {
  return write(context, spec, async (store) => {
    await store.insert(row)
    if (isSuccessful(nth)) return
    if (nth % 4 === 1) throw new Error('rolled back')
    await store.insert(cloneRow(spec, existing, { key: existing['key'] }))
  })
}
