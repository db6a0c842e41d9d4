import { assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import type { Where } from './finding.ts'
import { placeOf, type Row, read, write } from './places.ts'
import { another, instant, planted } from './samples.ts'

const PEOPLE = placeOf('people')
const MANY = 900
const ALIKE = 12

/** Held by all, by the oldest or the newest alone, by some in between, and by a few here and there. */
const HELD: Readonly<Record<string, (nth: number) => boolean>> = {
  everywhere: () => true,
  oldest: (nth) => nth < 120,
  newest: (nth) => nth >= MANY - 120,
  second: (nth) => nth % 2 === 0,
  twentieth: (nth) => nth % 20 === 0,
}

/** Each with the words that it asks for. */
const ASKED: Readonly<Record<string, (nth: number) => boolean>> = {
  ...HELD,
  every: () => true,
  old: HELD['oldest']!,
  new: HELD['newest']!,
  ...Object.fromEntries([1, 7, 8, 9, ALIKE].map((forms) => [`alike${forms}x`, (nth) => nth % ALIKE < forms])),
  nobody: () => false,
}

/** How the records come in, which are given oldest first. */
const CAME: Readonly<Record<string, (rows: readonly Row[]) => readonly Row[]>> = {
  'as they were created': (rows) => rows,
  'in the order opposite to their creation': (rows) => rows.toReversed(),
  'in order of creation, but for one here and there': (rows) => exchanged(rows, 61, 37),
  'in order of creation, but for neighbours': (rows) => exchanged(rows, 3, 2),
}

export const wordPages: Group = {
  name: 'pages of words',
  cases: Object.entries(CAME).map(([how, arranged]) => ({
    name: `any page of what holds some words, wherever that lies, is that part of it in order, where records came ${how}`,
    async run(context) {
      const rows = await plantedMany(context, arranged)
      const word = constantFrom(...Object.keys(ASKED))
      const asked = [word, word, integer({ min: 1, max: 60 }), integer({ min: 1, max: 8 })] as const
      const order = [constantFrom('created_at', 'full_name'), constantFrom('asc', 'desc')] as const
      const always = asyncProperty(...asked, ...order, async (one, other, per_page, page, order_by, order) => {
        const where: Where = [one, other].map((begins) => ({ field: 'found_by', begins }))
        const answer = await read(context, PEOPLE, (store) => store.list({ page, per_page, order_by, order, where }))
        const held = rows.filter((_, nth) => ASKED[one]!(nth) && ASKED[other]!(nth)).sort(by(order_by))
        const expected = (order === 'asc' ? held : held.reverse()).slice((page - 1) * per_page, page * per_page)
        expect(answer.total).toBe(held.length)
        expect(answer.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      })
      const edges = Object.keys(ASKED).flatMap((each) =>
        (['asc', 'desc'] as const).map((order): [string, string, number, number, 'created_at', 'asc' | 'desc'] => {
          return [each, each, 20, 1, 'created_at', order]
        }),
      )
      await assert(always, { numRuns: 80 + edges.length, examples: edges })
    },
  })),
}

/** The records, oldest first, three of each moment. Words of a form `alike<n>x` are asked for by beginnings that n words share. */
async function plantedMany(context: Context, arranged: (rows: readonly Row[]) => readonly Row[]): Promise<readonly Row[]> {
  const person = await planted(context, PEOPLE, { found_by: '' })
  const rows = Array.from({ length: MANY }, (_, nth) => {
    const held = Object.keys(HELD).filter((word) => HELD[word]!(nth))
    const alike = [1, 7, 8, 9, ALIKE].filter((forms) => nth % ALIKE < forms).map((forms) => `alike${forms}x${nth % ALIKE}`)
    const full_name = String((nth * 7_919) % MANY).padStart(3, '0')
    return another(PEOPLE, person, { full_name, found_by: [...held, ...alike].join(' '), created_at: instant(Math.floor(nth / 3)) })
  })
  await write(context, PEOPLE, (store) => store.insertMany(arranged(rows)))
  return rows
}

/** With every `every`th changing places with the one so many `steps` after it. */
function exchanged(rows: readonly Row[], every: number, steps: number): readonly Row[] {
  const result = [...rows]
  for (let nth = 0; nth + steps < rows.length; nth += every) {
    ;[result[nth], result[nth + steps]] = [result[nth + steps]!, result[nth]!]
  }
  return result
}

function by(field: string): (a: Row, b: Row) => number {
  return (a, b) => compare(String(a[field]), String(b[field])) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
