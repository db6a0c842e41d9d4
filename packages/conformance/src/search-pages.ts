import { assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import type { Where } from './search-helpers.ts'

const PEOPLE = getCollection('people')
const ROW_COUNT = 900
const ALIKE = 12

/** Held by all, by the oldest or the newest alone, by some in between, and by a few here and there. */
const TERM_HOLDERS: Readonly<Record<string, (nth: number) => boolean>> = {
  everywhere: () => true,
  oldest: (nth) => nth < 120,
  newest: (nth) => nth >= ROW_COUNT - 120,
  second: (nth) => nth % 2 === 0,
  twentieth: (nth) => nth % 20 === 0,
}

/** Each with the words that it asks for. */
const QUERY_TERMS: Readonly<Record<string, (nth: number) => boolean>> = {
  ...TERM_HOLDERS,
  every: () => true,
  old: TERM_HOLDERS['oldest']!,
  new: TERM_HOLDERS['newest']!,
  ...Object.fromEntries([1, 7, 8, 9, ALIKE].map((forms) => [`alike${forms}x`, (nth) => nth % ALIKE < forms])),
  nobody: () => false,
}

/** How the records come in, which are given oldest first. */
const INSERT_ORDERS: Readonly<Record<string, (rows: readonly Row[]) => readonly Row[]>> = {
  'as they were created': (rows) => rows,
  'in the order opposite to their creation': (rows) => rows.toReversed(),
  'in order of creation, but for one here and there': (rows) => swapRows(rows, 61, 37),
  'in order of creation, but for neighbours': (rows) => swapRows(rows, 3, 2),
}

export const searchPages: Group = {
  name: 'pages of words',
  cases: Object.entries(INSERT_ORDERS).map(([how, arrange]) => ({
    name: `any page of what holds some words, wherever that lies, is that part of it in order, where records came ${how}`,
    async run(context) {
      const rows = await insertMany(context, arrange)
      const term = constantFrom(...Object.keys(QUERY_TERMS))
      const asked = [term, term, integer({ min: 1, max: 60 }), integer({ min: 1, max: 8 })] as const
      const order = [constantFrom('created_at', 'full_name'), constantFrom('asc', 'desc')] as const
      const always = asyncProperty(
        ...asked,
        ...order,
        async (one, other, per_page, page, order_by, order) => {
          const where: Where = [one, other].map((begins) => ({ field: 'found_by', begins }))
          const answer = await read(context, PEOPLE, (store) =>
            store.list({ page, per_page, order_by, order, where }),
          )
          const held = rows
            .filter((_, nth) => QUERY_TERMS[one]!(nth) && QUERY_TERMS[other]!(nth))
            .sort(compareBy(order_by))
          const expected = (order === 'asc' ? held : held.reverse()).slice(
            (page - 1) * per_page,
            page * per_page,
          )
          expect(answer.total).toBe(held.length)
          expect(answer.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        },
      )
      const edges = Object.keys(QUERY_TERMS).flatMap((each) =>
        (['asc', 'desc'] as const).map(
          (order): [string, string, number, number, 'created_at', 'asc' | 'desc'] => {
            return [each, each, 20, 1, 'created_at', order]
          },
        ),
      )
      await assert(always, { numRuns: 80 + edges.length, examples: edges })
    },
  })),
}

/** The records, oldest first, three of each moment. Words of a form `alike<n>x` are asked for by beginnings that n words share. */
async function insertMany(
  context: Context,
  arrange: (rows: readonly Row[]) => readonly Row[],
): Promise<readonly Row[]> {
  const person = await insertRow(context, PEOPLE, { found_by: '' })
  const rows = Array.from({ length: ROW_COUNT }, (_, nth) => {
    const held = Object.keys(TERM_HOLDERS).filter((term) => TERM_HOLDERS[term]!(nth))
    const alike = [1, 7, 8, 9, ALIKE]
      .filter((forms) => nth % ALIKE < forms)
      .map((forms) => `alike${forms}x${nth % ALIKE}`)
    const full_name = String((nth * 7_919) % ROW_COUNT).padStart(3, '0')
    return cloneRow(PEOPLE, person, {
      full_name,
      found_by: [...held, ...alike].join(' '),
      created_at: instant(Math.floor(nth / 3)),
    })
  })
  await write(context, PEOPLE, (store) => store.insertMany(arrange(rows)))
  return rows
}

/** With every `every`th changing places with the one so many `steps` after it. */
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
