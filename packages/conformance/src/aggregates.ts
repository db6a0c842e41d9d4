import type { AggregateRow } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type AggregateOptions, ALL, aggregate, DEALS, insertDeals } from './aggregate-deals.ts'
import { GROUPS_BETWEEN_BOUNDARIES } from './boundary-groups.ts'
import type { Case, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  type Row,
  type RowStore,
  read,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant, withNulls } from './sample-rows.ts'

const PRODUCTS = getCollection('products')
const NO_RECORDS: AggregateRow = { keys: [], count: 0, sum: 0n, latest: null }

export const aggregates: Group = {
  name: 'aggregate',
  cases: [
    ...ALL_COLLECTIONS.map(groupsByEachField),
    {
      name: 'sorts groups by count or by sum, greatest first, and returns at most `limit`',
      async run(context) {
        await insertDeals(context, [
          { name: 'a', amount: 1 },
          { name: 'a', amount: 1 },
          { name: 'a', amount: 1 },
          { name: 'b', amount: 9 },
          { name: 'b', amount: 9 },
          { name: 'c', amount: 20 },
        ])
        const names = async (options: AggregateOptions) =>
          (await aggregate(context, { groupBy: [{ field: 'name' }], ...options })).map(({ keys }) => keys[0])
        expect(await names({})).toEqual(['a', 'b', 'c'])
        expect(await names({ sum: 'amount' })).toEqual(['a', 'b', 'c'])
        expect(await names({ sum: 'amount', order: 'sum' })).toEqual(['c', 'b', 'a'])
        expect(await names({ limit: 2 })).toEqual(['a', 'b'])
        expect(await names({ sum: 'amount', order: 'sum', limit: 1 })).toEqual(['c'])
      },
    },
    {
      name: 'breaks ties by the keys in order, nulls first and text by code point',
      async run(context) {
        const pairs = [null, 'B', 'a', 'é', '\uffee', '😀'].flatMap((source) => [
          { source, currency: 'USD' },
          { source, currency: 'BRL' },
        ])
        await insertDeals(context, pairs.toReversed())
        const groups = await aggregate(context, { groupBy: [{ field: 'source' }, { field: 'currency' }] })
        const sources = [null, 'B', 'a', 'é', '\uffee', '😀']
        expect(groups.map(({ keys }) => keys)).toEqual(
          sources.flatMap((source) => [
            [source, 'BRL'],
            [source, 'USD'],
          ]),
        )
      },
    },
    GROUPS_BETWEEN_BOUNDARIES,
    {
      name: 'sums exactly beyond 2^53 and with negative values',
      async run(context) {
        const large = Array.from({ length: 30 }, (_, nth) => ({ amount: 1e15 - nth, currency: 'USD' }))
        const mixed = [-1e15, 1, -7, 2 ** 26, -(2 ** 26) - 1].map((amount) => ({ amount, currency: 'BRL' }))
        await insertDeals(context, [...large, ...mixed])
        const groups = await aggregate(context, {
          groupBy: [{ field: 'currency' }],
          sum: 'amount',
          order: 'sum',
        })
        expect(groups.map(({ keys, sum }) => [keys[0], sum])).toEqual([
          ['USD', 29_999_999_999_999_565n],
          ['BRL', -1_000_000_000_000_007n],
        ])
        expect(await aggregate(context, { sum: 'amount' })).toEqual([
          { ...NO_RECORDS, count: 35, sum: 28_999_999_999_999_558n },
        ])
      },
    },
    {
      name: 'returns the latest instant of each group, ignoring nulls, or null if there is none',
      async run(context) {
        await insertDeals(context, [
          { name: 'a', closed_at: instant(2) },
          { name: 'a', closed_at: null },
          { name: 'a', closed_at: instant(3) },
          { name: 'b', closed_at: null },
        ])
        const groups = await aggregate(context, { groupBy: [{ field: 'name' }], latest: 'closed_at' })
        expect(groups.map(({ keys: [name], latest }) => [name, latest])).toEqual([
          ['a', instant(3)],
          ['b', null],
        ])
      },
    },
    {
      name: 'returns one group without keys, even for no records, and none with keys for no records',
      async run(context) {
        expect(await aggregate(context, { sum: 'amount', latest: 'closed_at' })).toEqual([NO_RECORDS])
        expect(await aggregate(context, { sum: 'amount', groupBy: [{ field: 'name' }] })).toEqual([])
        await insertDeals(context, [{ amount: 3 }, { amount: 4 }])
        expect(await aggregate(context, { sum: 'amount' })).toEqual([{ ...NO_RECORDS, count: 2, sum: 7n }])
      },
    },
    {
      name: 'excludes deleted records and those of another workspace, and reflects each write',
      async run(context) {
        const [first, second] = (await insertDeals(context, [{ amount: 3 }, { amount: 4 }])) as [Row, Row]
        await insertDeals({ ...context, workspace: context.otherWorkspace }, [{ amount: 50 }])
        const sum = async (store: RowStore) => (await store.aggregate({ ...ALL, sum: 'amount' }))[0]?.sum
        await write(context, DEALS, async (store) => {
          expect(await sum(store)).toBe(7n)
          await store.update({ ...first, amount: 30 })
          expect(await sum(store)).toBe(34n)
          await store.softDelete(second.id, instant(9))
          expect(await sum(store)).toBe(30n)
        })
        expect(await read(context, DEALS, sum)).toBe(30n)
        expect(await read({ ...context, workspace: context.otherWorkspace }, DEALS, sum)).toBe(50n)
      },
    },
    {
      name: 'counts records that satisfy every condition, on terms too',
      async run(context) {
        const first = await insertRow(context, PRODUCTS, {
          search_terms: 'ana',
          currency: 'USD',
          is_active: true,
        })
        const rows = [
          { search_terms: 'ana', currency: 'BRL' },
          { search_terms: 'anabel', currency: 'EUR' },
          { search_terms: 'bia', currency: 'USD' },
          { search_terms: 'ana', is_active: false },
        ].map((changes) => cloneRow(PRODUCTS, first, changes))
        await write(context, PRODUCTS, (store) => store.insertMany(rows))
        const where = [
          { field: 'search_terms', hasPrefix: 'ana' },
          { field: 'currency', oneOf: ['BRL', 'USD'] },
          { field: 'is_active', is: true },
        ] as const
        const groups = await read(context, PRODUCTS, (store) =>
          store.aggregate({ ...ALL, where, groupBy: [{ field: 'currency' }] }),
        )
        expect(groups.map(({ keys, count }) => [keys[0], count])).toEqual([
          ['BRL', 1],
          ['USD', 1],
        ])
      },
    },
  ],
}

function groupsByEachField(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: groups by the values of any field except json, null included`,
    async run(context) {
      const first = await insertRow(context, spec, {}, 1)
      const rows = [
        first,
        cloneRow(spec, first),
        await insertRow(context, spec, {}, 2),
        withNulls(spec, cloneRow(spec, first)),
      ]
      await write(context, spec, (store) => store.insertMany([rows[1]!, rows[3]!]))
      const where = [{ field: 'id', oneOf: rows.map(({ id }) => id) }]
      for (const [field, kind] of Object.entries({
        ...spec.columns,
        created_at: 'instant',
        updated_at: 'instant',
      })) {
        if (kind === 'json') continue
        const groups = await read(context, spec, (store) =>
          store.aggregate({ ...ALL, where, groupBy: [{ field }] }),
        )
        const counts = new Map(groups.map(({ keys: [key], count }) => [key, count]))
        const expected = [...Map.groupBy(rows, (row) => row[field])].map(
          ([key, members]) => [key, members.length] as const,
        )
        expect(counts, field).toEqual(new Map(expected as [string, number][]))
        expect(groups, field).toHaveLength(expected.length)
      }
    },
  }
}
