import { assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant, withNulls } from './sample-rows.ts'

const TASKS = getCollection('tasks')
/** So many that a store has reason to come from the end of the list, or to go through its index alone. */
const MANY = 2600
const FIELDS = ['created_at', 'updated_at', 'due_date', 'title', 'priority'] as const

export const deepPages: Group = {
  name: 'far pages',
  cases: [
    {
      name: 'any page of thousands, in any order, is that part of the whole in order, nulls and ties too',
      async run(context) {
        const sortedRows = await insertMany(context)
        const parameters = [
          integer({ min: 1, max: 100 }),
          integer({ min: 0, max: MANY + 100 }),
          constantFrom(...FIELDS),
          constantFrom('asc', 'desc'),
        ] as const
        const always = asyncProperty(...parameters, async (per_page, around, order_by, order) => {
          const page = 1 + Math.floor(around / per_page)
          const answer = await read(context, TASKS, (store) =>
            store.list({ page, per_page, order_by, order, where: [] }),
          )
          const whole = order === 'asc' ? sortedRows[order_by] : sortedRows[order_by].toReversed()
          const expected = whole.slice((page - 1) * per_page, page * per_page)
          expect(answer.total).toBe(whole.length)
          expect(answer.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
          expect(answer.rows).toEqual(expected)
        })
        // The last that is full, the one after it, those around the middle, and the first that is empty.
        const edges = [MANY - 20, MANY - 20 - 100, MANY / 2, MANY / 2 - 50, MANY + 50].flatMap((around) => {
          return FIELDS.map((field): [number, number, (typeof FIELDS)[number], 'asc' | 'desc'] => [
            50,
            around,
            field,
            'desc',
          ])
        })
        await assert(always, { numRuns: 60, examples: edges })
      },
    },
    {
      name: 'a far page has the writes before it in its transaction',
      async run(context) {
        const { created_at } = await insertMany(context)
        const [first, last] = [created_at[0]!, created_at.at(-1)!]
        await write(context, TASKS, async (store) => {
          const added = cloneRow(TASKS, last, { created_at: instant(1e9) })
          await store.insert(added)
          await store.softDelete(first.id, instant(9))
          const query = {
            page: created_at.length,
            per_page: 1,
            order_by: 'created_at',
            order: 'asc',
            where: [],
          } as const
          expect(await store.list(query)).toEqual({ rows: [added], total: created_at.length })
          const middle = await store.list({ ...query, page: 1300 })
          expect(middle.rows).toEqual([created_at[1300]])
        })
      },
    },
  ],
}

type SortedRows = { readonly [F in (typeof FIELDS)[number]]: readonly Row[] }

/** Many, some of them deleted again, as they are in ascending order of each field. */
async function insertMany(context: Context): Promise<SortedRows> {
  const task = withNulls(TASKS, await insertRow(context, TASKS))
  const rows = Array.from({ length: MANY }, (_, nth) => {
    const due_date = nth % 3 === 0 ? null : instant((nth * 7) % 1000)
    const title = `${(nth * 31) % 400} ${nth % 5 === 0 ? '😀' : '\ue000'}`
    const priority = nth < MANY / 2 ? null : 'high'
    return cloneRow(TASKS, task, {
      due_date,
      title,
      priority,
      created_at: instant(nth % 900),
      updated_at: nth % 2 ? instant(nth) : null,
    })
  })
  await write(context, TASKS, async (store) => {
    await store.insertMany(rows)
    await store.hardDelete(task.id)
    for (const { id } of rows.slice(100, 120)) await store.softDelete(id, instant(9))
  })
  const live = rows.toSpliced(100, 20)
  const sorted = (field: string) =>
    live.toSorted((a, b) => compare(a[field], b[field]) || compare(a.id, b.id))
  return Object.fromEntries(FIELDS.map((field) => [field, sorted(field)])) as unknown as SortedRows
}

/** Nulls first. Text by code point, as its UTF-8 is by bytes. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
