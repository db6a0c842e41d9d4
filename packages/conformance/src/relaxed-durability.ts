import type { Storage } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, getStored, type Row, read, type Work, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { expectConflict } from './uniqueness.ts'

const [PIPELINES, TYPES] = [getCollection('pipelines'), getCollection('task_types')]
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/** What `transactRelaxed` has in common with `transact`. That a power cut undoes no half of it no suite can see. */
export const relaxedDurability: Group = {
  name: 'unsynced',
  cases: [
    {
      name: 'it resolves with what the work returns, once what it wrote is seen by reads and by transactions of either kind',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        for (const turn of TWENTY) {
          const answer = await transactRelaxed(context, async (store) => {
            await store.update({ ...row, name: String(turn + 1) })
            return { of: turn }
          })
          expect(answer).toEqual({ of: turn })
          const seen = [
            await getStored(context, PIPELINES, row.id),
            await write(context, PIPELINES, (store) => store.get(row.id)),
            await transactRelaxed(context, (store) => store.get(row.id)),
          ]
          expect(seen.map((each) => each?.['name'])).toEqual(seen.map(() => String(turn + 1)))
        }
      },
    },
    {
      name: 'it is not seen outside before it is committed',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: 'before' })
        const outside: Promise<Row | undefined>[] = []
        const failing = transactRelaxed(context, async (store) => {
          await store.update({ ...row, name: 'never' })
          outside.push(getStored(context, PIPELINES, row.id))
          for (const _ of TWENTY) await store.get(row.id)
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await Promise.all(outside)).toEqual([row])
      },
    },
    {
      name: 'all of it is undone when the work throws, and the error passes through unchanged',
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
      name: 'a write that fails undoes all of it and is what it rejects with, though the work does not wait for it',
      async run(context) {
        const row = await insertRow(context, TYPES)
        const fine = cloneRow(TYPES, row)
        const refused = transactRelaxed(
          context,
          async (store) => {
            await store.insert(fine)
            void store.insert(cloneRow(TYPES, row, { key: row['key'] }))
          },
          TYPES,
        )
        await expectConflict(refused, 'key')
        expect(await getStored(context, TYPES, fine.id)).toBeUndefined()
      },
    },
    {
      name: 'a part of it may fail alone',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const [kept, gone] = [cloneRow(PIPELINES, row), cloneRow(PIPELINES, row)]
        await transactRelaxed(context, async (store, tx) => {
          await store.insert(kept)
          const part = tx.savepoint(() => store.insert(gone).then(() => Promise.reject(new Error('undone'))))
          await expect(part).rejects.toThrow('undone')
        })
        expect(await read(context, PIPELINES, (store) => store.getMany([kept.id, gone.id]))).toEqual([kept])
      },
    },
    {
      name: 'of twenty at once, every other one of them unsynced, the ones that throw leave nothing and the others everything',
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
                  if (shouldThrow(nth)) throw new Error('undone')
                }),
            ),
          ),
        )
        expect(results.map(({ status }) => status)).toEqual(
          TWENTY.map((nth) => (shouldThrow(nth) ? 'rejected' : 'fulfilled')),
        )
        const left = await read(context, PIPELINES, (store) => store.getMany(rows.map(({ id }) => id)))
        const sound = rows.filter((_, nth) => !shouldThrow(nth))
        expect(left.map(({ id }) => id).sort()).toEqual(sound.map(({ id }) => id).sort())
      },
    },
    {
      name: 'no update is lost: twenty that read with getForUpdate, add one and write, every other one unsynced, are counted twenty times',
      async run(context) {
        const row = await insertRow(context, PIPELINES, { name: '0' })
        await Promise.all(TWENTY.map((nth) => incrementRows(context, [row.id], nth)))
        expect(await getStored(context, PIPELINES, row.id)).toMatchObject({ name: '20' })
      },
    },
    {
      name: 'of two that hold the same records in opposite order, one of them unsynced, both come through, run again if need be',
      async run(context) {
        const a = await insertRow(context, PIPELINES, { name: '0' })
        const b = await insertRow(context, PIPELINES, { name: '0' })
        await Promise.all([incrementRows(context, [a.id, b.id], 0), incrementRows(context, [b.id, a.id], 1)])
        expect(await getStored(context, PIPELINES, a.id)).toMatchObject({ name: '2' })
        expect(await getStored(context, PIPELINES, b.id)).toMatchObject({ name: '2' })
      },
    },
    {
      name: 'whoever listens is called after it when it said wake',
      async run({ storage }) {
        let calls = 0
        const end = storage.onNotify(() => {
          calls += 1
        })
        for (const _ of TWENTY) {
          const before = calls
          await storage.transact(async (tx) => tx.notify(), { durability: 'relaxed' })
          for (let turn = 0; turn < 500 && calls === before; turn += 1)
            await storage.read((tx) => tx.workspaces.has([]))
          expect(calls).toBeGreaterThan(before)
        }
        end()
      },
    },
  ],
}

/** The unsynced `write`. */
function transactRelaxed<T>({ storage, workspace }: Context, work: Work<T>, place = PIPELINES): Promise<T> {
  return storage.transact((tx) => work(place.storeIn(tx, workspace), tx), { durability: 'relaxed' })
}

/** Every other one is unsynced. */
function transactAlternating({ storage }: Context, nth: number): Storage['transact'] {
  return (work) =>
    nth % 2 === 0 ? storage.transact(work) : storage.transact(work, { durability: 'relaxed' })
}

/** Of each kind, every other one. */
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
