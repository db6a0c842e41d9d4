import { assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import type { Where } from './search-helpers.ts'

const PEOPLE = getCollection('people')
const ROW_COUNT = 900
const MAX_TERMS = 12
/** For each n, n terms share the prefix `alike<n>x`. */
const TERMS_PER_PREFIX = [1, 7, 8, 9, MAX_TERMS]

/** Terms, each with the records that hold it: all, only the oldest or newest, or some at intervals. */
const TERM_HOLDERS: Readonly<Record<string, (nth: number) => boolean>> = {
  everywhere: () => true,
  oldest: (nth) => nth < 120,
  newest: (nth) => nth >= ROW_COUNT - 120,
  second: (nth) => nth % 2 === 0,
  twentieth: (nth) => nth % 20 === 0,
}

/** Prefixes to search for, each with the records that match it. */
const QUERY_TERMS: Readonly<Record<string, (nth: number) => boolean>> = {
  ...TERM_HOLDERS,
  every: () => true,
  old: TERM_HOLDERS['oldest']!,
  new: TERM_HOLDERS['newest']!,
  ...Object.fromEntries(
    TERMS_PER_PREFIX.map((count) => [`alike${count}x`, (nth) => nth % MAX_TERMS < count]),
  ),
  nobody: () => false,
}

/** Orders of insertion, as functions of the records in order of creation. */
const INSERT_ORDERS: Readonly<Record<string, (rows: readonly Row[]) => readonly Row[]>> = {
  'in order of creation': (rows) => rows,
  'in reverse order of creation': (rows) => rows.toReversed(),
  'in order of creation with distant swaps': (rows) => swapRows(rows, 61, 37),
  'in order of creation with near swaps': (rows) => swapRows(rows, 3, 2),
}

export const searchPages: Group = {
  name: 'search pages',
  cases: Object.entries(INSERT_ORDERS).map(([how, arrange]) => ({
    name: `any page equals that slice of the sorted matches, with records inserted ${how}`,
    async run(context) {
      const rows = await insertMany(context, arrange)
      const term = constantFrom(...Object.keys(QUERY_TERMS))
      const parameters = [term, term, integer({ min: 1, max: 60 }), integer({ min: 1, max: 8 })] as const
      const sorting = [constantFrom('created_at', 'full_name'), constantFrom('asc', 'desc')] as const
      const property = asyncProperty(
        ...parameters,
        ...sorting,
        async (one, other, per_page, page, order_by, order) => {
          const where: Where = [one, other].map((hasPrefix) => ({ field: 'search_terms', hasPrefix }))
          const result = await read(context, PEOPLE, (store) =>
            store.list({ page, per_page, order_by, order, where }),
          )
          const matches = rows
            .filter((_, nth) => QUERY_TERMS[one]!(nth) && QUERY_TERMS[other]!(nth))
            .sort(compareBy(order_by))
          const expected = (order === 'asc' ? matches : matches.reverse()).slice(
            (page - 1) * per_page,
            page * per_page,
          )
          expect(result.total).toBe(matches.length)
          expect(result.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        },
      )
      const edges = Object.keys(QUERY_TERMS).flatMap((each) =>
        (['asc', 'desc'] as const).map(
          (order): [string, string, number, number, 'created_at', 'asc' | 'desc'] => {
            return [each, each, 20, 1, 'created_at', order]
          },
        ),
      )
      await assert(property, { numRuns: 80 + edges.length, examples: edges })
    },
  })),
}

/** Inserts the records and returns them oldest first. Three records at a time share a `created_at`. */
async function insertMany(
  context: Context,
  arrange: (rows: readonly Row[]) => readonly Row[],
): Promise<readonly Row[]> {
  const person = await insertRow(context, PEOPLE, { search_terms: '' })
  const rows = Array.from({ length: ROW_COUNT }, (_, nth) => {
    const terms = Object.keys(TERM_HOLDERS).filter((term) => TERM_HOLDERS[term]!(nth))
    const prefixed = TERMS_PER_PREFIX.filter((count) => nth % MAX_TERMS < count).map(
      (count) => `alike${count}x${nth % MAX_TERMS}`,
    )
    const full_name = String((nth * 7_919) % ROW_COUNT).padStart(3, '0')
    return cloneRow(PEOPLE, person, {
      full_name,
      search_terms: [...terms, ...prefixed].join(' '),
      created_at: instant(Math.floor(nth / 3)),
    })
  })
  await write(context, PEOPLE, (store) => store.insertMany(arrange(rows)))
  return rows
}

/** Swaps every `every`th record with the one `steps` after it. */
function swapRows(rows: readonly Row[], every: number, steps: number): readonly Row[] {
  const result = [...rows]
  for (let nth = 0; nth + steps < rows.length; nth += every) {
    ;[result[nth], result[nth + steps]] = [result[nth + steps]!, result[nth]!]
  }
  return result
}

function compareBy(field: string): (a: Row, b: Row) => number {
  return (a, b) => compare(String(a[field]), String(b[field])) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
