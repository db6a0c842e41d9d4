import { assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow, instant, withNulls } from './sample-rows.ts'

const TASKS = getCollection('tasks')
/** Large enough for a store to read the list from its end or from an index alone. */
const ROW_COUNT = 2600
const FIELDS = ['created_at', 'updated_at', 'due_date', 'title', 'priority'] as const

export const deepPages: Group = {
  name: 'deep pages',
  cases: [
    {
      name: 'any page of thousands equals that slice of the sorted records, with nulls and ties',
      async run(context) {
        const sortedRows = await insertMany(context)
        const parameters = [
          integer({ min: 1, max: 100 }),
          integer({ min: 0, max: ROW_COUNT + 100 }),
          constantFrom(...FIELDS),
          constantFrom('asc', 'desc'),
        ] as const
        const property = asyncProperty(...parameters, async (per_page, offset, order_by, order) => {
          const page = 1 + Math.floor(offset / per_page)
          const result = await read(context, TASKS, (store) =>
            store.list({ page, per_page, order_by, order, where: [] }),
          )
          const sorted = order === 'asc' ? sortedRows[order_by] : sortedRows[order_by].toReversed()
          const expected = sorted.slice((page - 1) * per_page, page * per_page)
          expect(result.total).toBe(sorted.length)
          expect(result.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
          expect(result.rows).toEqual(expected)
        })
        // Near the end, around the middle, and past the last page.
        const edges = [
          ROW_COUNT - 20,
          ROW_COUNT - 20 - 100,
          ROW_COUNT / 2,
          ROW_COUNT / 2 - 50,
          ROW_COUNT + 50,
        ].flatMap((offset) => {
          return FIELDS.map((field): [number, number, (typeof FIELDS)[number], 'asc' | 'desc'] => [
            50,
            offset,
            field,
            'desc',
          ])
        })
        await assert(property, { numRuns: 60, examples: edges })
      },
    },
    {
      name: 'a deep page reflects earlier writes of its transaction',
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

/** Inserts `ROW_COUNT` records, deletes some, and returns the rest in ascending order of each field. */
async function insertMany(context: Context): Promise<SortedRows> {
  const task = withNulls(TASKS, await insertRow(context, TASKS))
  const rows = Array.from({ length: ROW_COUNT }, (_, nth) => {
    const due_date = nth % 3 === 0 ? null : instant((nth * 7) % 1000)
    const title = `${(nth * 31) % 400} ${nth % 5 === 0 ? '😀' : '\ue000'}`
    const priority = nth < ROW_COUNT / 2 ? null : 'high'
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
  const sortBy = (field: string) =>
    live.toSorted((a, b) => compare(a[field], b[field]) || compare(a.id, b.id))
  return Object.fromEntries(FIELDS.map((field) => [field, sortBy(field)])) as unknown as SortedRows
}

/** Compares with nulls first. UTF-8 bytes sort like code points. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
