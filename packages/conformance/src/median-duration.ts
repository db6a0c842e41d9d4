import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

const DEALS = getCollection('deals')
const DAY = 86_400_000

export const medianDuration: Group = {
  name: 'medianDuration',
  cases: [
    rule('is undefined if no record has both instants', [{ closed_at: null }], undefined),
    rule(
      'is the middle value of an odd number of durations',
      [closedAfter(5), closedAfter(900 * DAY), closedAfter(7)],
      7,
    ),
    rule(
      'is the mean of the two middle values of an even number of durations',
      [closedAfter(1), closedAfter(40), closedAfter(11), closedAfter(4)],
      7.5,
    ),
    rule(
      'ignores records that lack an instant',
      [closedAfter(2), { closed_at: null }, closedAfter(4), { closed_at: null }],
      3,
    ),
    rule(
      'counts equal durations separately',
      [closedAfter(3), closedAfter(3), closedAfter(3), closedAfter(800), closedAfter(900)],
      3,
    ),
    rule('is exact to the millisecond over centuries', [closedAfter(300_000 * DAY + 1)], 300_000 * DAY + 1),
    rule('is negative if the second instant precedes the first', [closedAfter(-DAY - 1)], -DAY - 1),
    {
      name: 'applies the conditions and excludes deleted records and those of another workspace',
      async run(context) {
        const first = await insertRow(context, DEALS, { ...closedAfter(10), name: 'a' })
        const [second, deleted] = [
          cloneRow(DEALS, first, closedAfter(20)),
          cloneRow(DEALS, first, closedAfter(90)),
        ]
        const other = cloneRow(DEALS, first, { ...closedAfter(1), name: 'b' })
        await write(context, DEALS, (store) => store.insertMany([second, deleted, other]))
        await write(context, DEALS, (store) => store.softDelete(deleted.id, instant(9)))
        await insertRow({ ...context, workspace: context.otherWorkspace }, DEALS, {
          ...closedAfter(1000),
          name: 'a',
        })
        const where = [{ field: 'name', is: 'a' }]
        expect(
          await read(context, DEALS, (store) =>
            store.medianDuration({ where, from: 'created_at', to: 'closed_at' }),
          ),
        ).toBe(15)
        expect(
          await read(context, DEALS, (store) =>
            store.medianDuration({ where: [], from: 'created_at', to: 'closed_at' }),
          ),
        ).toBe(10)
      },
    },
  ],
}

function closedAfter(milliseconds: number): Pick<Row, 'created_at' | 'closed_at'> {
  return { created_at: instant(0), closed_at: instant(milliseconds) }
}

function rule(name: string, changes: readonly object[], median: number | undefined): Case {
  return {
    name,
    async run(context) {
      const first = await insertRow(context, DEALS)
      await write(context, DEALS, async (store) => {
        await store.insertMany(changes.map((each) => cloneRow(DEALS, first, each)))
        await store.hardDelete(first.id)
      })
      const query = { where: [], from: 'created_at', to: 'closed_at' }
      expect(await read(context, DEALS, (store) => store.medianDuration(query))).toBe(median)
    },
  }
}
