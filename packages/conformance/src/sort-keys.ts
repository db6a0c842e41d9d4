import type { SortKey } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Context, Group } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow } from './sample-rows.ts'
import type { Where } from './search-helpers.ts'

const PEOPLE = getCollection('people')
const DEALS = getCollection('deals')

type Sort = SortKey<Row> & { readonly thenBy?: SortKey<Row> }

const SIZE = { order_by: 'custom_values', member: { name: 'size', type: 'number' } } as const
const NOTE = { order_by: 'custom_values', member: { name: 'note', type: 'text' } } as const

const SORTS: readonly Sort[] = (['asc', 'desc'] as const).flatMap((order) => {
  const other = order === 'asc' ? 'desc' : 'asc'
  return [
    { ...SIZE, order },
    { ...NOTE, order },
    { order_by: 'score', order, thenBy: { order_by: 'position', order: other } },
    { order_by: 'position', order, thenBy: { ...SIZE, order } },
    { ...NOTE, order, thenBy: { ...SIZE, order: other } },
  ] satisfies Sort[]
})

export const sortKeys: Group = {
  name: 'sorting by several keys',
  cases: [
    {
      name: 'all pages are in order by two keys and by members of json fields',
      async run(context) {
        const rows = await insertPeople(context)
        const conditions: readonly Where[] = [
          [],
          [{ field: 'avatar_url', is: 'fair' }],
          [{ field: 'search_terms', hasTerm: 'roof' }],
          [
            { field: 'search_terms', hasTerm: 'roof' },
            { field: 'avatar_url', is: 'fair' },
          ],
          [
            {
              anyOf: [
                { field: 'owner_user_id', is: null },
                { field: 'search_terms', hasAnyTerm: ['roof'] },
              ],
            },
          ],
        ]
        for (const where of conditions)
          for (const sort of SORTS) {
            const listed = await readAllPages(context, sort, where)
            const ids = new Set(listed.map(({ id }) => id))
            expect(ids.size).toBe(listed.length)
            const expected = rows.filter(({ id }) => ids.has(id)).toSorted(comparator(sort))
            expect(listed.map(describeRow), JSON.stringify([where, sort])).toEqual(expected.map(describeRow))
            expect(listed.length).toBeGreaterThan(4)
          }
      },
    },
    {
      name: 'all pages are in order by what is computed of other records',
      async run(context) {
        const rows = await insertPeople(context)
        const related = await insertReferring(context, rows)
        // The first deal refers to a person of its own.
        const known = new Set(rows.map(({ id }) => id))
        const roof = [{ field: 'search_terms', hasTerm: 'roof' }] as const
        const someone = [
          { anyOf: [{ field: 'owner_user_id', is: null }, ...roof] },
        ] as readonly Where[number][]
        for (const where of [[], roof, someone, [{ field: 'avatar_url', is: 'fair' }, ...roof]] as Where[])
          for (const key of related)
            for (const order of ['asc', 'desc'] as const) {
              const sort = { order_by: 'id', order, related: key.related } as const
              const listed = (await readAllPages(context, sort, where)).filter(({ id }) => known.has(id))
              const ids = new Set(listed.map(({ id }) => id))
              const expected = rows
                .filter(({ id }) => ids.has(id))
                .toSorted((a, b) => {
                  const values = compare(key.values.get(a.id) ?? null, key.values.get(b.id) ?? null)
                  return (order === 'asc' ? 1 : -1) * values || compareIds(sort, a, b)
                })
              const value = ({ id }: Row) => [key.values.get(id) ?? null, id]
              expect(listed.map(value), JSON.stringify([where, sort])).toEqual(expected.map(value))
              expect(listed.length).toBeGreaterThan(4)
            }
      },
    },
  ],
}

interface RelatedOrder {
  readonly related: NonNullable<SortKey<Row>['related']>
  readonly values: ReadonlyMap<string, number | string>
}

/** Inserts deals that refer to some of the people: with other amounts and times, deleted ones, and ones that do not count. */
async function insertReferring(context: Context, people: readonly Row[]): Promise<readonly RelatedOrder[]> {
  const first = await insertRow(context, DEALS)
  const deals = people.slice(0, 16).flatMap((person, nth) =>
    Array.from({ length: nth % 3 }, (_, each) =>
      cloneRow(DEALS, first, {
        ...{ person_id: person.id, currency: 'BRL', amount: ((nth + each) % 4) * 100 },
        closed_at: `2026-03-0${1 + ((nth + each) % 5)}T12:00:00.000Z`,
      }),
    ),
  )
  const [deleted, ...others] = deals
  const foreign = cloneRow(DEALS, first, { person_id: people[20]!.id, currency: 'USD', amount: 9000 })
  await write(context, DEALS, async (store) => {
    await store.insertMany([...deals, foreign])
    await store.softDelete(deleted!.id, '2026-03-09T12:00:00.000Z')
  })
  const base = { collection: 'deals', foreignKey: 'person_id' } as const
  const where = [{ field: 'currency', is: 'BRL' }] as const
  const byPerson = Map.groupBy(others, ({ person_id }) => String(person_id))
  const valuesOf = <V>(value: (of: readonly Row[]) => V) =>
    new Map([...byPerson].map(([id, of]) => [id, value(of)] as const))
  return [
    {
      related: { ...base, aggregate: 'sum', field: 'amount', where },
      values: valuesOf((of) => of.reduce((sum, { amount }) => sum + Number(amount), 0)),
    },
    {
      related: { ...base, aggregate: 'latest', field: 'closed_at', where },
      values: valuesOf(
        (of) =>
          of
            .map(({ closed_at }) => String(closed_at))
            .toSorted()
            .at(-1)!,
      ),
    },
  ]
}

/** Rows whose values are equal, missing, or of another type. */
async function insertPeople(context: Context): Promise<readonly Row[]> {
  const first = await insertRow(context, PEOPLE)
  const rows = Array.from({ length: 24 }, (_, nth) =>
    cloneRow(PEOPLE, first, {
      score: nth % 3,
      owner_user_id: null,
      position: nth % 4 === 0 ? null : `P${nth % 5}`,
      avatar_url: nth % 2 === 0 ? 'fair' : 'web',
      search_terms: nth % 3 === 0 ? 'wall' : 'roof',
      custom_values: {
        ...(nth % 5 !== 0 && { size: nth % 7 === 0 ? 'ten' : [10, 9.5, -1][nth % 3] }),
        ...(nth % 4 !== 0 && { note: nth % 7 === 0 ? 3 : ['b', 'B', 'é', '10', '9'][nth % 5] }),
      },
    }),
  )
  await write(context, PEOPLE, async (store) => {
    await store.insertMany(rows)
    await store.hardDelete(first.id)
  })
  return rows
}

async function readAllPages(context: Context, sort: Sort, where: Where): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const query = { ...sort, page, per_page: 5, where }
    const result = await read(context, PEOPLE, (store) => store.list(query))
    rows.push(...result.rows)
    if (result.rows.length < query.per_page) return rows
  }
}

function comparator({ thenBy, ...first }: Sort): (a: Row, b: Row) => number {
  return (a, b) => compareBy(first, a, b) || (thenBy ? compareBy(thenBy, a, b) : 0) || compareIds(first, a, b)
}

function compareBy({ order_by, order, member }: SortKey<Row>, a: Row, b: Row): number {
  const [left, right] = [a, b].map((row) => {
    if (!member) return row[order_by]
    const value = (row[order_by] as Record<string, unknown>)[member.name]
    return typeof value === (member.type === 'number' ? 'number' : 'string') ? value : null
  })
  return (order === 'asc' ? 1 : -1) * compare(left, right)
}

function compareIds({ order }: SortKey<Row>, a: Row, b: Row): number {
  return (order === 'asc' ? 1 : -1) * (a.id < b.id ? -1 : 1)
}

/** Compares with nulls first. UTF-8 bytes sort like code points. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function describeRow({ id, score, position, custom_values }: Row): string {
  return JSON.stringify({ score, position, custom_values, id })
}
