import { expect } from 'vitest'
import type { Case, Group } from './case.ts'
import { placeOf, type Row, read, write } from './places.ts'
import { another, instant, planted } from './samples.ts'

const DEALS = placeOf('deals')
const DAY = 86_400_000

export const spans: Group = {
  name: 'medianSpan',
  cases: [
    rule('is undefined of nothing, and of records that lack one of the two', [{ closed_at: null }], undefined),
    rule('is the one in the middle of an odd number', [closedIn(5), closedIn(900 * DAY), closedIn(7)], 7),
    rule('is the mean of the two in the middle of an even number', [closedIn(1), closedIn(40), closedIn(11), closedIn(4)], 7.5),
    rule('leaves out those that lack one of the two', [closedIn(2), { closed_at: null }, closedIn(4), { closed_at: null }], 3),
    rule('counts equal ones each', [closedIn(3), closedIn(3), closedIn(3), closedIn(800), closedIn(900)], 3),
    rule('counts to the millisecond over centuries', [closedIn(300_000 * DAY + 1)], 300_000 * DAY + 1),
    rule('is below zero where the second comes first', [closedIn(-DAY - 1)], -DAY - 1),
    {
      name: 'looks at what the conditions find, and neither at deleted records nor at those of another workspace',
      async run(context) {
        const first = await planted(context, DEALS, { ...closedIn(10), name: 'a' })
        const [second, gone] = [another(DEALS, first, closedIn(20)), another(DEALS, first, closedIn(90))]
        const other = another(DEALS, first, { ...closedIn(1), name: 'b' })
        await write(context, DEALS, (store) => store.insertMany([second, gone, other]))
        await write(context, DEALS, (store) => store.softDelete(gone.id, instant(9)))
        await planted({ ...context, workspace: context.elsewhere }, DEALS, { ...closedIn(1000), name: 'a' })
        const where = [{ field: 'name', is: 'a' }]
        expect(await read(context, DEALS, (store) => store.medianSpan({ where, from: 'created_at', to: 'closed_at' }))).toBe(15)
        expect(await read(context, DEALS, (store) => store.medianSpan({ where: [], from: 'created_at', to: 'closed_at' }))).toBe(10)
      },
    },
  ],
}

/** Closed so many milliseconds after it was made. */
function closedIn(milliseconds: number): Pick<Row, 'created_at' | 'closed_at'> {
  return { created_at: instant(0), closed_at: instant(milliseconds) }
}

function rule(name: string, changes: readonly object[], median: number | undefined): Case {
  return {
    name,
    async run(context) {
      const first = await planted(context, DEALS)
      await write(context, DEALS, async (store) => {
        await store.insertMany(changes.map((each) => another(DEALS, first, each)))
        await store.erase(first.id)
      })
      const query = { where: [], from: 'created_at', to: 'closed_at' }
      expect(await read(context, DEALS, (store) => store.medianSpan(query))).toBe(median)
    },
  }
}
