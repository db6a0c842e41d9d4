import { array, assert, asyncProperty } from 'fast-check'
import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import {
  type CollectionSpec,
  getCollection,
  type Row,
  type RowStore,
  read,
  WORKSPACE_COLLECTIONS,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { anyStep, runSteps } from './total-steps.ts'

const TAGS = getCollection('tags')
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/** Totals of whole collections, which a store may keep rather than count. */
export const totals: Group = {
  name: 'totals',
  cases: [
    ...WORKSPACE_COLLECTIONS.map(followsWrites),
    {
      name: 'what a part or a transaction wrote that failed is counted nowhere',
      async run(context) {
        const row = await insertRow(context, TAGS)
        const failing = async (store: RowStore) => {
          await store.insertMany(cloneThree(TAGS, row))
          await store.softDelete(row.id, instant(9))
          expect(await listTotal(store)).toBe(3)
          throw new Error('undone')
        }
        await expect(write(context, TAGS, failing)).rejects.toThrow('undone')
        expect(await readTotal(context)).toBe(1)
        await write(context, TAGS, async (store, tx) => {
          await store.insert(cloneRow(TAGS, row))
          await expect(tx.savepoint(() => failing(store))).rejects.toThrow()
          expect(await listTotal(store)).toBe(2)
          await store.insert(cloneRow(TAGS, row))
        })
        expect(await readTotal(context)).toBe(3)
        const taken = write(context, TAGS, (store) =>
          store.insertMany([...cloneThree(TAGS, row), cloneRow(TAGS, row, { key: row['key'] })]),
        )
        await expect(taken).rejects.toMatchObject({ code: 'conflict' })
        expect(await readTotal(context)).toBe(3)
      },
    },
    {
      name: 'of twenty at once in one workspace, each counts for what it did',
      async run(context) {
        const row = await insertRow(context, TAGS)
        const doomed = TWENTY.map(() => cloneRow(TAGS, row))
        await write(context, TAGS, (store) => store.insertMany(doomed))
        const works = TWENTY.map((nth) =>
          write(context, TAGS, async (store, tx) => {
            await store.insertMany(cloneThree(TAGS, row))
            await store.softDelete(doomed[nth]!.id, instant(9))
            await tx.savepoint(() => store.hardDelete(doomed[nth]!.id))
            if (nth % 4 === 0) throw new Error('undone')
          }),
        )
        const failed = (await Promise.allSettled(works)).filter(({ status }) => status === 'rejected')
        expect(failed).toHaveLength(5)
        // One, the twenty, and of fifteen that did not fail three more and one less each.
        expect(await readTotal(context)).toBe(1 + 20 + 15 * 2)
      },
    },
    {
      name: 'twenty at once that write two collections in opposite order all succeed',
      async run(context) {
        const lists = getCollection('lists')
        const [tag, list] = [await insertRow(context, TAGS), await insertRow(context, lists)]
        const works = TWENTY.map((nth) =>
          context.storage.transact(async (tx) => {
            const both = [
              () => TAGS.storeIn(tx, context.workspace).insert(cloneRow(TAGS, tag)),
              () => lists.storeIn(tx, context.workspace).insert(cloneRow(lists, list)),
            ]
            for (const one of nth % 2 === 0 ? both : both.toReversed()) {
              await one()
              await TAGS.storeIn(tx, context.workspace).get(tag.id)
            }
          }),
        )
        await Promise.all(works)
        expect(await Promise.all([TAGS, lists].map((spec) => read(context, spec, listTotal)))).toEqual([
          21, 21,
        ])
      },
    },
    {
      name: 'after any course of writes the total is the number of records there are',
      async run(context) {
        const row = await insertRow(context, TAGS)
        const always = asyncProperty(array(anyStep, { maxLength: 25 }), async (steps) => {
          const fresh = { ...context, workspace: newId(), otherWorkspace: newId() }
          const live = await runSteps(fresh, row, steps)
          expect(await readTotal(fresh)).toBe(live.here.size)
          expect(await readTotal({ ...fresh, workspace: fresh.otherWorkspace })).toBe(live.there.size)
        })
        await assert(always, { numRuns: 15 })
      },
    },
  ],
}

function followsWrites(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: the total follows what comes, what is deleted and what is erased, and is of one workspace`,
    async run(context) {
      const row = await insertRow(context, spec)
      const stranger = await insertRow({ ...context, workspace: context.otherWorkspace }, spec)
      const [first, second, third] = cloneThree(spec, row)
      const steps: readonly [number, (store: RowStore) => Promise<unknown>][] = [
        [4, (store) => store.insertMany([first, second, third])],
        [4, (store) => store.update({ ...first, created_at: instant(7) }, first)],
        [3, (store) => store.softDelete(first.id, instant(9))],
        [3, (store) => store.softDelete(first.id, instant(9))],
        [3, (store) => store.update(first)],
        [2, (store) => store.hardDelete(second.id)],
        [2, (store) => store.hardDelete(first.id)],
        [2, (store) => store.hardDelete(newId())],
        [3, (store) => store.insert(cloneRow(spec, row, { id: first.id }))],
        [3, (store) => store.softDelete(stranger.id, instant(9))],
      ]
      await write(context, spec, async (store) => {
        for (const [nth, [total, step]] of steps.entries()) {
          await step(store)
          expect(await listTotal(store), String(nth)).toBe(total)
        }
        throw new Error('done')
      }).catch((error: Error) => expect(error.message).toBe('done'))
      expect(await read(context, spec, listTotal)).toBe(1)
      for (const [nth, [total, step]] of steps.entries()) {
        await write(context, spec, step)
        expect(await read(context, spec, listTotal), String(nth)).toBe(total)
      }
      expect(await read({ ...context, workspace: context.otherWorkspace }, spec, listTotal)).toBe(1)
    },
  }
}

function cloneThree(spec: CollectionSpec, row: Row): [Row, Row, Row] {
  return [cloneRow(spec, row), cloneRow(spec, row), cloneRow(spec, row)]
}

function readTotal(context: Context): Promise<number> {
  return read(context, TAGS, listTotal)
}

async function listTotal(store: RowStore): Promise<number> {
  const { total } = await store.list({
    page: 1,
    per_page: 1,
    order_by: 'created_at',
    order: 'asc',
    where: [],
  })
  return total
}
