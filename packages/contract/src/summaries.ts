import type { Summary, SummaryQuery } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import { EVERY, type Place, placeOf, type Row, type RowStore, read, write } from './places.ts'
import { another, emptied, instant, planted } from './samples.ts'

const DEALS = placeOf('deals')
const PRODUCTS = placeOf('products')
const NOTHING: Summary = { keys: [], count: 0, sum: 0n, latest: null }

type Asked = Partial<SummaryQuery<Row>>

export const summaries: Group = {
  name: 'summarize',
  cases: [
    ...EVERY.map(byEachField),
    {
      name: 'the greatest group comes first, by its count or by its sum, and no more than are asked for',
      async run(context) {
        await deals(context, [
          { name: 'a', amount: 1 },
          { name: 'a', amount: 1 },
          { name: 'a', amount: 1 },
          { name: 'b', amount: 9 },
          { name: 'b', amount: 9 },
          { name: 'c', amount: 20 },
        ])
        const names = async (asked: Asked) => (await summary(context, { by: [{ field: 'name' }], ...asked })).map(({ keys }) => keys[0])
        expect(await names({})).toEqual(['a', 'b', 'c'])
        expect(await names({ sum: 'amount' })).toEqual(['a', 'b', 'c'])
        expect(await names({ sum: 'amount', order: 'sum' })).toEqual(['c', 'b', 'a'])
        expect(await names({ most: 2 })).toEqual(['a', 'b'])
        expect(await names({ sum: 'amount', order: 'sum', most: 1 })).toEqual(['c'])
      },
    },
    {
      name: 'ties go by the keys, one after another, nulls first and text by code point',
      async run(context) {
        const pairs = [null, 'B', 'a', 'é', '\uffee', '😀'].flatMap((source) => [
          { source, currency: 'USD' },
          { source, currency: 'BRL' },
        ])
        await deals(context, pairs.toReversed())
        const found = await summary(context, { by: [{ field: 'source' }, { field: 'currency' }] })
        const sources = [null, 'B', 'a', 'é', '\uffee', '😀']
        expect(found.map(({ keys }) => keys)).toEqual(
          sources.flatMap((source) => [
            [source, 'BRL'],
            [source, 'USD'],
          ]),
        )
      },
    },
    {
      name: 'months are those of UTC, to the millisecond, and null is none of them',
      async run(context) {
        const closed = [
          '0999-12-31T23:59:59.999Z',
          '2026-02-28T23:59:59.999Z',
          '2026-03-01T00:00:00.000Z',
          '2026-03-31T23:59:59.999Z',
          null,
        ]
        await deals(
          context,
          closed.map((closed_at) => ({ closed_at })),
        )
        const found = await summary(context, { by: [{ field: 'closed_at', month: true }] })
        expect(found.map(({ keys: [month], count }) => [month, count])).toEqual([
          ['2026-03', 2],
          [null, 1],
          ['0999-12', 1],
          ['2026-02', 1],
        ])
      },
    },
    {
      name: 'sums are exact beyond 2^53, and with what is below zero',
      async run(context) {
        const great = Array.from({ length: 30 }, (_, nth) => ({ amount: 1e15 - nth, currency: 'USD' }))
        const mixed = [-1e15, 1, -7, 2 ** 26, -(2 ** 26) - 1].map((amount) => ({ amount, currency: 'BRL' }))
        await deals(context, [...great, ...mixed])
        const found = await summary(context, { by: [{ field: 'currency' }], sum: 'amount', order: 'sum' })
        expect(found.map(({ keys, sum }) => [keys[0], sum])).toEqual([
          ['USD', 29_999_999_999_999_565n],
          ['BRL', -1_000_000_000_000_007n],
        ])
        expect(await summary(context, { sum: 'amount' })).toEqual([{ ...NOTHING, count: 35, sum: 28_999_999_999_999_558n }])
      },
    },
    {
      name: 'latest is the greatest instant of each group, nulls left out, and null where there is none',
      async run(context) {
        await deals(context, [
          { name: 'a', closed_at: instant(2) },
          { name: 'a', closed_at: null },
          { name: 'a', closed_at: instant(3) },
          { name: 'b', closed_at: null },
        ])
        const found = await summary(context, { by: [{ field: 'name' }], latest: 'closed_at' })
        expect(found.map(({ keys: [name], latest }) => [name, latest])).toEqual([
          ['a', instant(3)],
          ['b', null],
        ])
      },
    },
    {
      name: 'without keys all are one group, which there is for no records too; with keys there is none',
      async run(context) {
        expect(await summary(context, { sum: 'amount', latest: 'closed_at' })).toEqual([NOTHING])
        expect(await summary(context, { sum: 'amount', by: [{ field: 'name' }] })).toEqual([])
        await deals(context, [{ amount: 3 }, { amount: 4 }])
        expect(await summary(context, { sum: 'amount' })).toEqual([{ ...NOTHING, count: 2, sum: 7n }])
      },
    },
    {
      name: 'counts neither deleted records nor those of another workspace, and follows each write',
      async run(context) {
        const [first, second] = (await deals(context, [{ amount: 3 }, { amount: 4 }])) as [Row, Row]
        await deals({ ...context, workspace: context.elsewhere }, [{ amount: 50 }])
        const sum = async (store: RowStore) => (await store.summarize({ ...ALL, sum: 'amount' }))[0]?.sum
        await write(context, DEALS, async (store) => {
          expect(await sum(store)).toBe(7n)
          await store.update({ ...first, amount: 30 })
          expect(await sum(store)).toBe(34n)
          await store.softDelete(second.id, instant(9))
          expect(await sum(store)).toBe(30n)
        })
        expect(await read(context, DEALS, sum)).toBe(30n)
        expect(await read({ ...context, workspace: context.elsewhere }, DEALS, sum)).toBe(50n)
      },
    },
    {
      name: 'counts those that every condition finds, words among them',
      async run(context) {
        const first = await planted(context, PRODUCTS, { found_by: 'ana', currency: 'USD', is_active: true })
        const rows = [
          { found_by: 'ana', currency: 'BRL' },
          { found_by: 'anabel', currency: 'EUR' },
          { found_by: 'bia', currency: 'USD' },
          { found_by: 'ana', is_active: false },
        ].map((changes) => another(PRODUCTS, first, changes))
        await write(context, PRODUCTS, (store) => store.insertMany(rows))
        const where = [
          { field: 'found_by', begins: 'ana' },
          { field: 'currency', oneOf: ['BRL', 'USD'] },
          { field: 'is_active', is: true },
        ] as const
        const found = await read(context, PRODUCTS, (store) => store.summarize({ ...ALL, where, by: [{ field: 'currency' }] }))
        expect(found.map(({ keys, count }) => [keys[0], count])).toEqual([
          ['BRL', 1],
          ['USD', 1],
        ])
      },
    },
  ],
}

const ALL = { where: [], by: [], order: 'count', most: 1000 } as const

function summary(context: Context, asked: Asked): Promise<readonly Summary[]> {
  return read(context, DEALS, (store) => store.summarize({ ...ALL, ...asked }))
}

/** So many deals, each with the fields given. */
async function deals(context: Pick<Context, 'storage' | 'workspace'>, changes: readonly object[]): Promise<readonly Row[]> {
  const first = await planted(context, DEALS)
  const rows = changes.map((each) => another(DEALS, first, each))
  await write(context, DEALS, async (store) => {
    await store.insertMany(rows)
    await store.erase(first.id)
  })
  return rows
}

function byEachField(place: Place): Case {
  return {
    name: `${place.name}: groups by a field of any kind but json have its values, null too`,
    async run(context) {
      const first = await planted(context, place, {}, 1)
      const rows = [first, another(place, first), await planted(context, place, {}, 2), emptied(place, another(place, first))]
      await write(context, place, (store) => store.insertMany([rows[1]!, rows[3]!]))
      const where = [{ field: 'id', oneOf: rows.map(({ id }) => id) }]
      for (const [field, kind] of Object.entries({ ...place.columns, created_at: 'instant', updated_at: 'instant' })) {
        if (kind === 'json') continue
        const found = await read(context, place, (store) => store.summarize({ ...ALL, where, by: [{ field }] }))
        const counts = new Map(found.map(({ keys: [key], count }) => [key, count]))
        const expected = [...Map.groupBy(rows, (row) => row[field])].map(([key, members]) => [key, members.length] as const)
        expect(counts, field).toEqual(new Map(expected as [string, number][]))
        expect(found, field).toHaveLength(expected.length)
      }
    },
  }
}
