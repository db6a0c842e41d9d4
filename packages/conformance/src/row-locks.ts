import type { LockOptions } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Context, type Group, leaveTransactions } from './case.ts'
import { getCollection, getStored, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

const [PIPELINES, STAGES, TASKS] = [
  getCollection('pipelines'),
  getCollection('stages'),
  getCollection('tasks'),
]
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/**
 * The cases run many transactions concurrently and check the result. No transaction waits for another, so a
 * store may also run them serially.
 */
export const rowLocks: Group = {
  name: 'row locks',
  cases: [
    {
      name: 'twenty concurrent increments with getForUpdate are all counted',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        await Promise.all(TWENTY.map(() => write(context, PIPELINES, (store) => increment(store, row.id))))
        expect(await getStored(context, PIPELINES, row.id)).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'twenty concurrent increments with an optimistic lock are all counted',
      async run(context) {
        const row = await insertRow(context, TASKS, { title: '0' })
        const addOne = (store: RowStore) => incrementField('title', store, row.id, { lock: 'optimistic' })
        await Promise.all(TWENTY.map(() => write(context, TASKS, addOne)))
        expect(await getStored(context, TASKS, row.id)).toMatchObject({ title: '20' })
      },
    },
    {
      name: 'getForShare blocks writers until the transaction ends',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        const readers = TWENTY.map(() =>
          write(context, PIPELINES, async (store) => {
            const first = await store.getForShare(row.id)
            for (let round = 0; round < 5; round += 1) await store.find([])
            return [first, await store.get(row.id)] as const
          }),
        )
        const writers = TWENTY.map(() => write(context, PIPELINES, (store) => increment(store, row.id)))
        for (const [first, last] of await Promise.all(readers)) expect(last).toEqual(first)
        await Promise.all(writers)
        expect(await getStored(context, PIPELINES, row.id)).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'getForShare and getForUpdate exclude each other: no deleted pipeline keeps a stage',
      async run(context) {
        const stage = await insertRow(context, STAGES)
        for (const round of TWENTY) {
          const pipeline = await insertRow(context, PIPELINES)
          const insertion = write(context, STAGES, async (stages, tx) => {
            const parent = await PIPELINES.storeIn(tx, context.workspace).getForShare(pipeline.id)
            for (let nth = 0; nth < 5; nth += 1) await stages.find([])
            if (parent) await stages.insert(cloneRow(STAGES, stage, { pipeline_id: parent.id }))
          })
          const deletion = write(context, PIPELINES, async (pipelines, tx) => {
            const parent = await pipelines.getForUpdate(pipeline.id)
            const hasStages = await STAGES.storeIn(tx, context.workspace).has([
              { field: 'pipeline_id', is: pipeline.id },
            ])
            if (parent && !hasStages) await pipelines.softDelete(pipeline.id, instant(9))
          })
          await Promise.all(round % 2 === 0 ? [insertion, deletion] : [deletion, insertion])
          const exists = (await getStored(context, PIPELINES, pipeline.id)) !== undefined
          const hasStages = await read(context, STAGES, (store) =>
            store.has([{ field: 'pipeline_id', is: pipeline.id }]),
          )
          expect(hasStages).toBe(exists)
        }
      },
    },
    {
      name: 'concurrent getForShare locks do not block each other',
      run: sharesLocks,
    },
    {
      name: 'one of twenty concurrent softDelete calls returns true',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const results = await Promise.all(
          TWENTY.map(() => write(context, PIPELINES, (store) => store.softDelete(row.id, instant(9)))),
        )
        expect(results.filter(Boolean)).toEqual([true])
      },
    },
    {
      name: 'getForUpdate returns undefined for a record deleted while it waited',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const deletions = TWENTY.map(() =>
          write(context, PIPELINES, async (store) => {
            const locked = await store.getForUpdate(row.id)
            if (locked) await store.softDelete(row.id, instant(9))
            return locked !== undefined
          }),
        )
        expect((await Promise.all(deletions)).filter(Boolean)).toEqual([true])
      },
    },
    {
      name: 'an update concurrent with a softDelete does not restore the record',
      async run(context) {
        const first = await insertRow(context, PIPELINES)
        for (const round of TWENTY) {
          const row = cloneRow(PIPELINES, first)
          await write(context, PIPELINES, (store) => store.insert(row))
          const remove = () => write(context, PIPELINES, (store) => store.softDelete(row.id, instant(9)))
          const change = () => write(context, PIPELINES, (store) => store.update({ ...row, name: 'changed' }))
          await Promise.all(round % 2 === 0 ? [remove(), change()] : [change(), remove()])
          expect(await getStored(context, PIPELINES, row.id)).toBeUndefined()
        }
      },
    },
    {
      name: 'two transactions that lock the same records in opposite order both commit',
      async run(context) {
        const a = await insertRow(context, PIPELINES, { name: '0' })
        const b = await insertRow(context, PIPELINES, { name: '0' })
        const orders = [
          [a.id, b.id],
          [b.id, a.id],
        ]
        const incrementBoth = (ids: readonly string[]) =>
          write(context, PIPELINES, async (store) => {
            for (const id of ids) await increment(store, id)
          })
        await Promise.all(orders.map(incrementBoth))
        expect(await getStored(context, PIPELINES, a.id)).toMatchObject({ name: '2' })
        expect(await getStored(context, PIPELINES, b.id)).toMatchObject({ name: '2' })
      },
    },
  ],
}

function increment(store: RowStore, id: string): Promise<void> {
  return incrementField('name', store, id)
}

async function incrementField(
  field: string,
  store: RowStore,
  id: string,
  options?: LockOptions,
): Promise<void> {
  const row = (await store.getForUpdate(id, options)) as Row
  await store.get(id)
  await store.update({ ...row, [field]: String(Number(row[field]) + 1) })
}

/**
 * The first transaction reads repeatedly until the second holds the lock too. In a store that runs
 * transactions serially the second has not begun, and the case passes.
 */
async function sharesLocks(context: Context): Promise<void> {
  const row = await insertRow(context, PIPELINES)
  const second = { hasBegun: false, hasLock: false }
  let running: Promise<void> | undefined
  const outside = leaveTransactions()
  const lockToo = () =>
    write(context, PIPELINES, async (secondStore) => {
      second.hasBegun = true
      await secondStore.getForShare(row.id)
      second.hasLock = true
    })
  const state = await write(context, PIPELINES, async (store) => {
    await store.getForShare(row.id)
    running ??= outside(lockToo)
    for (let round = 0; round < 5000 && !second.hasLock; round += 1) {
      if (round === 500 && !second.hasBegun) break
      await store.has([{ field: 'id', is: row.id }])
    }
    return { ...second }
  })
  await running
  expect(state.hasLock).toBe(state.hasBegun)
}
