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

/** Totals of lists without conditions, which a store may maintain instead of counting. */
export const totals: Group = {
  name: 'totals',
  cases: [
    ...WORKSPACE_COLLECTIONS.map(followsWrites),
    {
      name: 'a failed savepoint or transaction leaves the total unchanged',
      async run(context) {
        const row = await insertRow(context, TAGS)
        const failing = async (store: RowStore) => {
          await store.insertMany(cloneThree(TAGS, row))
          await store.softDelete(row.id, instant(9))
          expect(await listTotal(store)).toBe(3)
          throw new Error('rolled back')
        }
        await expect(write(context, TAGS, failing)).rejects.toThrow('rolled back')
        expect(await readTotal(context)).toBe(1)
        await write(context, TAGS, async (store, tx) => {
          await store.insert(cloneRow(TAGS, row))
          await expect(tx.savepoint(() => failing(store))).rejects.toThrow()
          expect(await listTotal(store)).toBe(2)
          await store.insert(cloneRow(TAGS, row))
        })
        expect(await readTotal(context)).toBe(3)
        const conflicting = write(context, TAGS, (store) =>
          store.insertMany([...cloneThree(TAGS, row), cloneRow(TAGS, row, { key: row['key'] })]),
        )
        await expect(conflicting).rejects.toMatchObject({ code: 'conflict' })
        expect(await readTotal(context)).toBe(3)
      },
    },
    {
      name: 'the total counts the writes of twenty concurrent transactions except those rolled back',
      async run(context) {
        const row = await insertRow(context, TAGS)
        const deleted = TWENTY.map(() => cloneRow(TAGS, row))
        await write(context, TAGS, (store) => store.insertMany(deleted))
        const runs = TWENTY.map((nth) =>
          write(context, TAGS, async (store, tx) => {
            await store.insertMany(cloneThree(TAGS, row))
            await store.softDelete(deleted[nth]!.id, instant(9))
            await tx.savepoint(() => store.hardDelete(deleted[nth]!.id))
            if (nth % 4 === 0) throw new Error('rolled back')
          }),
        )
        const failed = (await Promise.allSettled(runs)).filter(({ status }) => status === 'rejected')
        expect(failed).toHaveLength(5)
        // One, then twenty, and two more for each of the fifteen transactions that committed.
        expect(await readTotal(context)).toBe(1 + 20 + 15 * 2)
      },
    },
    {
      name: 'twenty concurrent transactions that write two collections in opposite order all commit',
      async run(context) {
        const lists = getCollection('lists')
        const [tag, list] = [await insertRow(context, TAGS), await insertRow(context, lists)]
        const runs = TWENTY.map((nth) =>
          context.storage.transact(async (tx) => {
            const inserts = [
              () => TAGS.storeIn(tx, context.workspace).insert(cloneRow(TAGS, tag)),
              () => lists.storeIn(tx, context.workspace).insert(cloneRow(lists, list)),
            ]
            for (const insert of nth % 2 === 0 ? inserts : inserts.toReversed()) {
              await insert()
              await TAGS.storeIn(tx, context.workspace).get(tag.id)
            }
          }),
        )
        await Promise.all(runs)
        expect(await Promise.all([TAGS, lists].map((spec) => read(context, spec, listTotal)))).toEqual([
          21, 21,
        ])
      },
    },
    {
      name: 'the total equals the number of records after any sequence of writes',
      async run(context) {
        const row = await insertRow(context, TAGS)
        const property = asyncProperty(array(anyStep, { maxLength: 25 }), async (steps) => {
          const fresh = { ...context, workspace: newId(), otherWorkspace: newId() }
          const live = await runSteps(fresh, row, steps)
          expect(await readTotal(fresh)).toBe(live.workspace.size)
          expect(await readTotal({ ...fresh, workspace: fresh.otherWorkspace })).toBe(
            live.otherWorkspace.size,
          )
        })
        await assert(property, { numRuns: 15 })
      },
    },
  ],
}

function followsWrites(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: the total follows inserts, soft and hard deletions of its workspace`,
    async run(context) {
      const row = await insertRow(context, spec)
      const foreign = await insertRow({ ...context, workspace: context.otherWorkspace }, spec)
      const [first, second, third] = cloneThree(spec, row)
      const steps: readonly [number, (store: RowStore) => Promise<unknown>][] = [
        [4, (store) => store.insertMany([first, second, third])],
        [4, (store) => store.update({ ...first, created_at: instant(7) })],
        [3, (store) => store.softDelete(first.id, instant(9))],
        [3, (store) => store.softDelete(first.id, instant(9))],
        [3, (store) => store.update(first)],
        [2, (store) => store.hardDelete(second.id)],
        [2, (store) => store.hardDelete(first.id)],
        [2, (store) => store.hardDelete(newId())],
        [3, (store) => store.insert(cloneRow(spec, row, { id: first.id }))],
        [3, (store) => store.softDelete(foreign.id, instant(9))],
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
