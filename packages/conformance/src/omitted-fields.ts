import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import type { Where } from './search-helpers.ts'

const PEOPLE = getCollection('people')
/** Large enough for a store to read a page in the middle from an index alone. */
const ROW_COUNT = 2100
const OMITTED = ['tag_ids', 'list_ids', 'search_terms', 'full_name'] as const

const beginsWith = (...prefixes: readonly string[]): Where =>
  prefixes.map((hasPrefix) => ({ field: 'search_terms', hasPrefix }))
const QUERIES: readonly {
  readonly where: Where
  readonly page: number
  readonly order_by: 'created_at' | 'full_name'
}[] = [
  { where: [], page: 1, order_by: 'created_at' },
  { where: [], page: 53, order_by: 'full_name' },
  { where: [{ field: 'score', is: 7 }], page: 1, order_by: 'created_at' },
  { where: beginsWith('every'), page: 2, order_by: 'created_at' },
  { where: beginsWith('every', 'third'), page: 1, order_by: 'created_at' },
  { where: beginsWith('every', 'one'), page: 1, order_by: 'created_at' },
  { where: beginsWith('third'), page: 1, order_by: 'full_name' },
]

export const omittedFields: Group = {
  name: 'omitted fields',
  cases: [
    {
      name: 'do not affect the records, the total or the other fields of a page',
      async run(context) {
        await insertMany(context)
        for (const options of QUERIES) {
          const query = { ...options, per_page: 20, order: 'desc' } as const
          const [partial, complete] = await read(context, PEOPLE, (store) =>
            Promise.all([store.list({ ...query, omit: OMITTED }), store.list(query)]),
          )
          expect(complete.rows.length, 'rows').toBeGreaterThan(0)
          expect(partial.total).toBe(complete.total)
          expect(partial.rows.map(withoutOmitted)).toEqual(complete.rows.map(withoutOmitted))
          expect(complete.rows.filter(({ search_terms }) => search_terms === undefined)).toEqual([])
        }
      },
    },
  ],
}

function withoutOmitted(row: Row): object {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !OMITTED.some((each) => each === field)))
}

async function insertMany(context: Context): Promise<void> {
  const person = await insertRow(context, PEOPLE, { search_terms: 'every' })
  const rows = Array.from({ length: ROW_COUNT }, (_, nth) => {
    const search_terms = `every${nth % 3 === 0 ? ' third' : ''}${nth === 11 ? ' one' : ''}`
    return cloneRow(PEOPLE, person, {
      full_name: `Ana ${nth}`,
      score: nth % 100,
      search_terms,
      created_at: instant(nth),
    })
  })
  await write(context, PEOPLE, (store) => store.insertMany(rows))
}
