import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import type { Where } from './finding.ts'
import { placeOf, type Row, read, write } from './places.ts'
import { another, instant, planted } from './samples.ts'

const PEOPLE = placeOf('people')
/** So many that a store has reason to go through its index alone for a page in the middle. */
const MANY = 2100
const UNREAD = ['tag_ids', 'list_ids', 'found_by', 'full_name'] as const

const words = (...begins: readonly string[]): Where => begins.map((each) => ({ field: 'found_by', begins: each }))
const ASKED: readonly { readonly where: Where; readonly page: number; readonly order_by: 'created_at' | 'full_name' }[] = [
  { where: [], page: 1, order_by: 'created_at' },
  { where: [], page: 53, order_by: 'full_name' },
  { where: [{ field: 'score', is: 7 }], page: 1, order_by: 'created_at' },
  { where: words('every'), page: 2, order_by: 'created_at' },
  { where: words('every', 'third'), page: 1, order_by: 'created_at' },
  { where: words('every', 'one'), page: 1, order_by: 'created_at' },
  { where: words('third'), page: 1, order_by: 'full_name' },
]

export const unread: Group = {
  name: 'unread fields',
  cases: [
    {
      name: 'a page without them has the same records, and all else that they hold',
      async run(context) {
        await plantedMany(context)
        for (const asked of ASKED) {
          const query = { ...asked, per_page: 20, order: 'desc' } as const
          const [part, whole] = await read(context, PEOPLE, (store) =>
            Promise.all([store.list({ ...query, unread: UNREAD }), store.list(query)]),
          )
          expect(whole.rows.length, 'rows').toBeGreaterThan(0)
          expect(part.total).toBe(whole.total)
          expect(part.rows.map(withoutUnread)).toEqual(whole.rows.map(withoutUnread))
          expect(whole.rows.filter(({ found_by }) => found_by === undefined)).toEqual([])
        }
      },
    },
  ],
}

function withoutUnread(row: Row): object {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !UNREAD.some((each) => each === field)))
}

async function plantedMany(context: Context): Promise<void> {
  const person = await planted(context, PEOPLE, { found_by: 'every' })
  const rows = Array.from({ length: MANY }, (_, nth) => {
    const found_by = `every${nth % 3 === 0 ? ' third' : ''}${nth === 11 ? ' one' : ''}`
    return another(PEOPLE, person, { full_name: `Ana ${nth}`, score: nth % 100, found_by, created_at: instant(nth) })
  })
  await write(context, PEOPLE, (store) => store.insertMany(rows))
}
