import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
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
      name: 'transact resolves with what the work returns, once the next read sees what it wrote',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const changed = { ...row, name: 'changed' }
        const answer = await write(context, PIPELINES, async (store) => {
          await store.update(changed)
          return { of: 'the work' }
        })
        expect(answer).toEqual({ of: 'the work' })
        expect(await getStored(context, PIPELINES, row.id)).toEqual(changed)
      },
    },
    ...ALL_COLLECTIONS.flatMap((spec) =>
      WRITES.map((call) => ({
        name: `${spec.name}: ${call.name} is undone when the work throws`,
        run: (context: Context) => rollsBack(context, spec, call),
      })),
    ),
    {
      name: 'an error passes through unchanged, from transact and from read',
      async run({ storage }) {
        const error = Object.assign(new Error('mine'), { code: '23505', fields: { name: 'mine' } })
        const fail = () => Promise.reject(error)
        await expect(storage.transact(fail)).rejects.toBe(error)
        await expect(storage.read(fail)).rejects.toBe(error)
      },
    },
    {
      name: 'a read sees the writes before it in the same transaction, those not waited for too',
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
          const [, found] = await Promise.all([
            store.insertMany(many),
            store.getMany(many.map(({ id }) => id)),
          ])
          expect(found, 'getMany after insertMany').toHaveLength(2)
          const [, updated] = await Promise.all([
            store.update({ ...row, name: 'changed' }),
            store.find([{ field: 'name', is: 'changed' }]),
          ])
          expect(updated, 'find after update').toEqual([{ ...row, name: 'changed' }])
          const [, left] = await Promise.all([
            store.softDelete(next.id, instant(9)),
            store.has([{ field: 'id', is: next.id }]),
          ])
          expect(left, 'has after softDelete').toBe(false)
          const query = { page: 1, per_page: 9, order_by: 'name', order: 'asc', where: [] } as const
          expect(await store.list(query), 'list').toEqual({
            rows: [{ ...row, name: 'changed' }, ...many],
            total: 3,
          })
        })
      },
    },
    {
      name: 'a write is not seen outside before it is committed',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: 'before' })
        const outside: Promise<Row | undefined>[] = []
        const failing = write(context, PIPELINES, async (store) => {
          await store.update({ ...row, name: 'never' })
          // Not waited for in here: a store may answer it only after this transaction.
          outside.push(getStored(context, PIPELINES, row.id))
          for (let turn = 0; turn < 20; turn += 1) await store.get(row.id)
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await Promise.all(outside), 'seen outside').toEqual(outside.map(() => row))
      },
    },
    {
      name: 'a conflict undoes the whole transaction, and the next one works',
      async run(context) {
        const types = getCollection('task_types')
        const row = await insertRow(context, types)
        const fine = cloneRow(types, row)
        const refused = write(context, types, async (store) => {
          await store.insert(fine)
          await store.insert(cloneRow(types, row, { key: row['key'] }))
        })
        await expectConflict(refused, 'key')
        expect(await getStored(context, types, fine.id)).toBeUndefined()
        await write(context, types, (store) => store.insert(fine))
        expect(await getStored(context, types, fine.id)).toEqual(fine)
      },
    },
    ...transactionEnds,
    {
      name: 'of twenty at once, the ones that throw leave nothing and the others everything',
      async run(context) {
        const types = getCollection('task_types')
        const row = await insertRow(context, types)
        const rows = Array.from({ length: 20 }, () => cloneRow(types, row))
        const results = await Promise.allSettled(
          rows.map((each, nth) => insertOneOfTwenty(context, types, row, each, nth)),
        )
        expect(results.map(({ status }) => status)).toEqual(
          rows.map((_, nth) => (isSuccessful(nth) ? 'fulfilled' : 'rejected')),
        )
        const kept = await read(context, types, (store) => store.getMany(rows.map(({ id }) => id)))
        const ids = kept.map(({ id }) => id).sort()
        expect(ids).toEqual(
          rows
            .filter((_, nth) => isSuccessful(nth))
            .map(({ id }) => id)
            .sort(),
        )
      },
    },
    {
      name: 'one transaction reaches the collections of two workspaces and the shared ones, all or nothing',
      async run({ storage, workspace, otherWorkspace }) {
        const users = ALL_COLLECTIONS.find(({ name }) => name === 'users')!
        const [mine, theirs] = [
          await insertRow({ storage, workspace }, PIPELINES),
          await insertRow({ storage, workspace: otherWorkspace }, PIPELINES),
        ]
        const user = await insertRow({ storage, workspace }, users)
        const failing = storage.transact(async (tx) => {
          await PIPELINES.storeIn(tx, workspace).softDelete(mine.id, instant(9))
          await PIPELINES.storeIn(tx, otherWorkspace).softDelete(theirs.id, instant(9))
          await users.storeIn(tx, workspace).softDelete(user.id, instant(9))
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await getStored({ storage, workspace }, PIPELINES, mine.id)).toEqual(mine)
        expect(await getStored({ storage, workspace: otherWorkspace }, PIPELINES, theirs.id)).toEqual(theirs)
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
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(await getStored(context, spec, row.id)).toEqual(row)
  expect(await getStored(context, spec, next.id)).toBeUndefined()
}

function isSuccessful(nth: number): boolean {
  return nth % 2 === 0
}

/** Every other one fails after its insert: by its own error, or by one of the store's. */
function insertOneOfTwenty(
  context: Context,
  spec: CollectionSpec,
  taken: Row,
  row: Row,
  nth: number,
): Promise<void> {
  return write(context, spec, async (store) => {
    await store.insert(row)
    if (isSuccessful(nth)) return
    if (nth % 4 === 1) throw new Error('undone')
    await store.insert(cloneRow(spec, taken, { key: taken['key'] }))
  })
}
