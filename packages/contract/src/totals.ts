import { array, assert, asyncProperty } from 'fast-check'
import { expect } from 'vitest'
import { type Case, type Context, type Group, newId } from './case.ts'
import { OWN, type Place, placeOf, type Row, type RowStore, read, write } from './places.ts'
import { another, instant, planted } from './samples.ts'
import { anyStep, followed } from './total-steps.ts'

const TAGS = placeOf('tags')
const TWENTY = Array.from({ length: 20 }, (_, nth) => nth)

/** Totals of whole collections, which a store may keep rather than count. */
export const totals: Group = {
  name: 'totals',
  cases: [
    ...OWN.map(followsWrites),
    {
      name: 'what a part or a transaction wrote that failed is counted nowhere',
      async run(context) {
        const row = await planted(context, TAGS)
        const failing = async (store: RowStore) => {
          await store.insertMany(three(TAGS, row))
          await store.softDelete(row.id, instant(9))
          expect(await totalIn(store)).toBe(3)
          throw new Error('undone')
        }
        await expect(write(context, TAGS, failing)).rejects.toThrow('undone')
        expect(await totalOf(context)).toBe(1)
        await write(context, TAGS, async (store, tx) => {
          await store.insert(another(TAGS, row))
          await expect(tx.attempt(() => failing(store))).rejects.toThrow()
          expect(await totalIn(store)).toBe(2)
          await store.insert(another(TAGS, row))
        })
        expect(await totalOf(context)).toBe(3)
        const taken = write(context, TAGS, (store) => store.insertMany([...three(TAGS, row), another(TAGS, row, { key: row['key'] })]))
        await expect(taken).rejects.toMatchObject({ code: 'conflict' })
        expect(await totalOf(context)).toBe(3)
      },
    },
    {
      name: 'of twenty at once in one workspace, each counts for what it did',
      async run(context) {
        const row = await planted(context, TAGS)
        const doomed = TWENTY.map(() => another(TAGS, row))
        await write(context, TAGS, (store) => store.insertMany(doomed))
        const works = TWENTY.map((nth) =>
          write(context, TAGS, async (store, tx) => {
            await store.insertMany(three(TAGS, row))
            await store.softDelete(doomed[nth]!.id, instant(9))
            await tx.attempt(() => store.erase(doomed[nth]!.id))
            if (nth % 4 === 0) throw new Error('undone')
          }),
        )
        const failed = (await Promise.allSettled(works)).filter(({ status }) => status === 'rejected')
        expect(failed).toHaveLength(5)
        // One, the twenty, and of fifteen that did not fail three more and one less each.
        expect(await totalOf(context)).toBe(1 + 20 + 15 * 2)
      },
    },
    {
      name: 'twenty at once that write two collections in opposite order all succeed',
      async run(context) {
        const lists = placeOf('lists')
        const [tag, list] = [await planted(context, TAGS), await planted(context, lists)]
        const works = TWENTY.map((nth) =>
          context.storage.transact(async (tx) => {
            const both = [
              () => TAGS.storeIn(tx, context.workspace).insert(another(TAGS, tag)),
              () => lists.storeIn(tx, context.workspace).insert(another(lists, list)),
            ]
            for (const one of nth % 2 === 0 ? both : both.toReversed()) {
              await one()
              await TAGS.storeIn(tx, context.workspace).get(tag.id)
            }
          }),
        )
        await Promise.all(works)
        expect(await Promise.all([TAGS, lists].map((place) => read(context, place, totalIn)))).toEqual([21, 21])
      },
    },
    {
      name: 'after any course of writes the total is the number of records there are',
      async run(context) {
        const row = await planted(context, TAGS)
        const always = asyncProperty(array(anyStep, { maxLength: 25 }), async (steps) => {
          const fresh = { ...context, workspace: newId(), elsewhere: newId() }
          const live = await followed(fresh, row, steps)
          expect(await totalOf(fresh)).toBe(live.here.size)
          expect(await totalOf({ ...fresh, workspace: fresh.elsewhere })).toBe(live.there.size)
        })
        await assert(always, { numRuns: 15 })
      },
    },
  ],
}

function followsWrites(place: Place): Case {
  return {
    name: `${place.name}: the total follows what comes, what is deleted and what is erased, and is of one workspace`,
    async run(context) {
      const row = await planted(context, place)
      const stranger = await planted({ ...context, workspace: context.elsewhere }, place)
      const [first, second, third] = three(place, row)
      const steps: readonly [number, (store: RowStore) => Promise<unknown>][] = [
        [4, (store) => store.insertMany([first, second, third])],
        [4, (store) => store.update({ ...first, created_at: instant(7) }, first)],
        [3, (store) => store.softDelete(first.id, instant(9))],
        [3, (store) => store.softDelete(first.id, instant(9))],
        [3, (store) => store.update(first)],
        [2, (store) => store.erase(second.id)],
        [2, (store) => store.erase(first.id)],
        [2, (store) => store.erase(newId())],
        [3, (store) => store.insert(another(place, row, { id: first.id }))],
        [3, (store) => store.softDelete(stranger.id, instant(9))],
      ]
      await write(context, place, async (store) => {
        for (const [nth, [total, step]] of steps.entries()) {
          await step(store)
          expect(await totalIn(store), String(nth)).toBe(total)
        }
        throw new Error('done')
      }).catch((error: Error) => expect(error.message).toBe('done'))
      expect(await read(context, place, totalIn)).toBe(1)
      for (const [nth, [total, step]] of steps.entries()) {
        await write(context, place, step)
        expect(await read(context, place, totalIn), String(nth)).toBe(total)
      }
      expect(await read({ ...context, workspace: context.elsewhere }, place, totalIn)).toBe(1)
    },
  }
}

function three(place: Place, row: Row): [Row, Row, Row] {
  return [another(place, row), another(place, row), another(place, row)]
}

function totalOf(context: Context): Promise<number> {
  return read(context, TAGS, totalIn)
}

async function totalIn(store: RowStore): Promise<number> {
  const { total } = await store.list({ page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] })
  return total
}
