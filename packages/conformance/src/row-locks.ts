import type { LockOptions } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, getStored, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

const [PIPELINES, STAGES, TASKS] = [
  getCollection('pipelines'),
  getCollection('stages'),
  getCollection('tasks'),
]
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/**
 * These run many transactions at once and judge what is left. A store may run them one after another or side by side: no case
 * waits in one transaction for what another does.
 */
export const rowLocks: Group = {
  name: 'holds and races',
  cases: [
    {
      name: 'no update is lost: twenty that read with getForUpdate, add one and write are counted twenty times',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        await Promise.all(TWENTY.map(() => write(context, PIPELINES, (store) => increment(store, row.id))))
        expect(await getStored(context, PIPELINES, row.id)).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'no change is lost: twenty that read with getForUpdate with an optimistic lock, add one and write are counted twenty times',
      async run(context) {
        const row = await insertRow(context, TASKS, { title: '0' })
        const addOne = (store: RowStore) => incrementField('title', store, row.id, { lock: 'optimistic' })
        await Promise.all(TWENTY.map(() => write(context, TASKS, addOne)))
        expect(await getStored(context, TASKS, row.id)).toMatchObject({ title: '20' })
      },
    },
    {
      name: 'getForShare keeps writers out: the record is the same until the transaction ends',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        const sharers = TWENTY.map(() =>
          write(context, PIPELINES, async (store) => {
            const first = await store.getForShare(row.id)
            for (let turn = 0; turn < 5; turn += 1) await store.find([])
            return [first, await store.get(row.id)] as const
          }),
        )
        const writers = TWENTY.map(() => write(context, PIPELINES, (store) => increment(store, row.id)))
        for (const [first, last] of await Promise.all(sharers)) expect(last).toEqual(first)
        await Promise.all(writers)
        expect(await getStored(context, PIPELINES, row.id)).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'getForShare and getForUpdate exclude each other: no stage is left in a pipeline deleted for having none',
      async run(context) {
        const stage = await insertRow(context, STAGES)
        for (const turn of TWENTY) {
          const pipeline = await insertRow(context, PIPELINES)
          const filled = write(context, STAGES, async (stages, tx) => {
            const parent = await PIPELINES.storeIn(tx, context.workspace).getForShare(pipeline.id)
            for (let wait = 0; wait < 5; wait += 1) await stages.find([])
            if (parent) await stages.insert(cloneRow(STAGES, stage, { pipeline_id: parent.id }))
          })
          const deleted = write(context, PIPELINES, async (pipelines, tx) => {
            const parent = await pipelines.getForUpdate(pipeline.id)
            const isUsed = await STAGES.storeIn(tx, context.workspace).has([
              { field: 'pipeline_id', is: pipeline.id },
            ])
            if (parent && !isUsed) await pipelines.softDelete(pipeline.id, instant(9))
          })
          await Promise.all(turn % 2 === 0 ? [filled, deleted] : [deleted, filled])
          const isThere = (await getStored(context, PIPELINES, pipeline.id)) !== undefined
          const inUse = await read(context, STAGES, (store) =>
            store.has([{ field: 'pipeline_id', is: pipeline.id }]),
          )
          expect(inUse).toBe(isThere)
        }
      },
    },
    {
      name: 'those who share a record do not hinder each other',
      run: sharesLocks,
    },
    {
      name: 'a record is deleted once: of twenty softDelete at once, one answers true',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const answers = await Promise.all(
          TWENTY.map(() => write(context, PIPELINES, (store) => store.softDelete(row.id, instant(9)))),
        )
        expect(answers.filter(Boolean)).toEqual([true])
      },
    },
    {
      name: 'getForUpdate after a wait sees a deleted record as gone',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const takers = TWENTY.map(() =>
          write(context, PIPELINES, async (store) => {
            const held = await store.getForUpdate(row.id)
            if (held) await store.softDelete(row.id, instant(9))
            return held !== undefined
          }),
        )
        expect((await Promise.all(takers)).filter(Boolean)).toEqual([true])
      },
    },
    {
      name: 'an update that races with a delete does not bring the record back',
      async run(context) {
        const first = await insertRow(context, PIPELINES)
        for (const turn of TWENTY) {
          const row = cloneRow(PIPELINES, first)
          await write(context, PIPELINES, (store) => store.insert(row))
          const remove = () => write(context, PIPELINES, (store) => store.softDelete(row.id, instant(9)))
          const change = () => write(context, PIPELINES, (store) => store.update({ ...row, name: 'changed' }))
          await Promise.all(turn % 2 === 0 ? [remove(), change()] : [change(), remove()])
          expect(await getStored(context, PIPELINES, row.id)).toBeUndefined()
        }
      },
    },
    {
      name: 'two that hold the same records in opposite order both come through, run again if need be',
      async run(context) {
        const a = await insertRow(context, PIPELINES, { name: '0' })
        const b = await insertRow(context, PIPELINES, { name: '0' })
        const orders = [
          [a.id, b.id],
          [b.id, a.id],
        ]
        const both = (ids: readonly string[]) =>
          write(context, PIPELINES, async (store) => {
            for (const id of ids) await increment(store, id)
          })
        await Promise.all(orders.map(both))
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
 * The first sharer gives a second one, once that has begun, many turns to share too. Where transactions run one after another
 * the second has not begun, and there is nothing to hinder.
 */
async function sharesLocks(context: Context): Promise<void> {
  const row = await insertRow(context, PIPELINES)
  const second = { begun: false, shares: false }
  let other: Promise<void> | undefined
  const seen = await write(context, PIPELINES, async (store) => {
    await store.getForShare(row.id)
    other ??= write(context, PIPELINES, async (theirs) => {
      second.begun = true
      await theirs.getForShare(row.id)
      second.shares = true
    })
    for (let turn = 0; turn < 5000 && !second.shares; turn += 1) {
      if (turn === 500 && !second.begun) break
      await store.has([{ field: 'id', is: row.id }])
    }
    return { ...second }
  })
  await other
  expect(seen.shares).toBe(seen.begun)
}
