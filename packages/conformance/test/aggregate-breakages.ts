import type { AggregateQuery, AggregateRow, Condition, Storage } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/collections.ts'
import { alterStorage, type StoreLocation, searchMethods } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

/** Each group goes through `change`. */
function alterSums(
  change: (groups: readonly AggregateRow[], query: AggregateQuery<Row>) => readonly AggregateRow[],
): Storage {
  return alterStorage((store) => ({
    aggregate: async (query) => change(await store.aggregate(query), query),
  }))
}

/** Related records by the rule given. */
function alterRelated(
  meets: (row: Row, condition: Condition<Row>, spot: StoreLocation) => Promise<boolean>,
): Storage {
  return alterStorage((store, spot) => {
    async function find(where: readonly Condition<Row>[]): Promise<readonly Row[]> {
      const own = where.filter((condition) => !('whereRelated' in condition || 'notExists' in condition))
      const found = await store.find(own)
      const met = await Promise.all(
        found.map((row) =>
          Promise.all(where.filter((each) => !own.includes(each)).map((each) => meets(row, each, spot))),
        ),
      )
      return found.filter((_, nth) => met[nth]!.every(Boolean))
    }
    return {
      ...searchMethods(store, find),
      aggregate: async (query) => store.aggregate({ ...query, where: idsOf(await find(query.where)) }),
    }
  })
}

function idsOf(rows: readonly Row[]): readonly Condition<Row>[] {
  return [{ field: 'id', oneOf: rows.map(({ id }) => id) }]
}

function storeOf({ tx, workspace }: StoreLocation, name: string): RowStore {
  return (tx.workspace(workspace) as unknown as Readonly<Record<string, RowStore>>)[name]!
}

/** What `lacks` asks for, among the records that `who` gives. */
function alterLacks(how: { readonly after?: true; readonly nobody?: true }): Storage {
  return alterRelated(async (row, condition, spot) => {
    if (!('notExists' in condition)) return true
    const { collection, foreignKey: by, field, from } = condition.notExists
    const where = how.nobody
      ? [{ field, from }]
      : [
          { field: by, is: row.id },
          { field, from },
        ]
    const found = await storeOf(spot, collection).find(where)
    return !found.some((each) => !how.after || each[field] !== from)
  })
}

export const AGGREGATE_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: '`whereRelated` looks at what the field leads to',
    breakage: 'any record that leads somewhere is found',
    noticedBy:
      'related records: `whereRelated` finds the records whose field leads to a live record that holds the id',
    open: () =>
      alterRelated(async (row, condition) => !('whereRelated' in condition) || row[condition.field] !== null),
  },
  {
    guarantee: '`lacks` looks at whom a record names',
    breakage: 'a record of anybody will do',
    noticedBy:
      'related records: `lacks` finds the records that no live record names at the instant or after it',
    open: () => alterLacks({ nobody: true }),
  },
  {
    guarantee: '`lacks` includes its bound',
    breakage: 'it leaves it out',
    noticedBy:
      'related records: `lacks` finds the records that no live record names at the instant or after it',
    open: () => alterLacks({ after: true }),
  },
  {
    guarantee: 'Null is a group',
    breakage: 'records without a value are left out',
    noticedBy: 'aggregate: tasks: groups by a field of any kind but json have its values, null too',
    open: () => alterSums((groups) => groups.filter(({ keys }) => !keys.includes(null))),
  },
  {
    guarantee: 'Keys are of the kind of their field',
    breakage: 'booleans come back as 0 and 1',
    noticedBy: 'aggregate: products: groups by a field of any kind but json have its values, null too',
    open: () =>
      alterSums((groups) =>
        groups.map((group) => ({
          ...group,
          keys: group.keys.map((key) => (typeof key === 'boolean' ? Number(key) : key)),
        })),
      ),
  },
  {
    guarantee: 'The greatest group comes first',
    breakage: 'groups come in the order of their keys',
    noticedBy:
      'aggregate: the greatest group comes first, by its count or by its sum, and no more than are asked for',
    open: () => alterSums((groups) => groups.toSorted((a, b) => (String(a.keys) < String(b.keys) ? -1 : 1))),
  },
  {
    guarantee: 'Groups are ordered by what is asked for',
    breakage: 'they are ordered by their count always',
    noticedBy:
      'aggregate: the greatest group comes first, by its count or by its sum, and no more than are asked for',
    open: () =>
      alterStorage((store) => ({ aggregate: (query) => store.aggregate({ ...query, order: 'count' }) })),
  },
  {
    guarantee: 'So many groups at most',
    breakage: 'all are given',
    noticedBy:
      'aggregate: the greatest group comes first, by its count or by its sum, and no more than are asked for',
    open: () =>
      alterStorage((store) => ({ aggregate: (query) => store.aggregate({ ...query, limit: 1e6 }) })),
  },
  {
    guarantee: 'Groups of one size go by their keys',
    breakage: 'keys go by UTF-16 unit',
    noticedBy: 'aggregate: ties go by the keys, one after another, nulls first and text by code point',
    open: () =>
      alterSums((groups) =>
        groups.toSorted(
          (a, b) => b.count - a.count || byUnit(JSON.stringify(a.keys), JSON.stringify(b.keys)),
        ),
      ),
  },
  {
    guarantee: 'Months are those of UTC',
    breakage: 'they are those of a place an hour ahead',
    noticedBy: 'aggregate: months are those of UTC, to the millisecond, and null is none of them',
    open: () =>
      alterStorage((store) => ({
        async aggregate(query) {
          if (!query.groupBy.some(({ month }) => month)) return store.aggregate(query)
          const rows = await store.find(query.where)
          const months = rows.map((row) => monthAhead(row[query.groupBy[0]!.field]))
          return [...Map.groupBy(months, (month) => month)].map(([month, { length }]) => ({
            ...NOTHING,
            keys: [month],
            count: length,
          }))
        },
      })),
  },
  {
    guarantee: 'Sums are exact',
    breakage: 'they are what a double holds',
    noticedBy: 'aggregate: sums are exact beyond 2^53, and with what is below zero',
    open: () => alterSums((groups) => groups.map((group) => ({ ...group, sum: BigInt(Number(group.sum)) }))),
  },
  {
    guarantee: 'latest leaves nulls out',
    breakage: 'a null is the greatest, as PostgreSQL sorts it',
    noticedBy:
      'aggregate: latest is the greatest instant of each group, nulls left out, and null where there is none',
    open: () =>
      alterStorage((store) => ({
        async aggregate(query) {
          const groups = await store.aggregate(query)
          const { latest, groupBy: by } = query
          if (latest === undefined) return groups
          const rows = await store.find([{ field: latest, is: null }])
          return groups.map((group) =>
            rows.some((row) => row[by[0]!.field] === group.keys[0]) ? { ...group, latest: null } : group,
          )
        },
      })),
  },
  {
    guarantee: 'Without keys there is one group',
    breakage: 'there is none for no records',
    noticedBy:
      'aggregate: without keys all are one group, which there is for no records too; with keys there is none',
    open: () => alterSums((groups) => groups.filter(({ count }) => count > 0)),
  },
  {
    guarantee: 'aggregate counts what every condition finds',
    breakage: 'it looks at the first',
    noticedBy: 'aggregate: counts those that every condition finds, words among them',
    open: () =>
      alterStorage((store) => ({
        aggregate: (query) => store.aggregate({ ...query, where: query.where.slice(0, 1) }),
      })),
  },
  {
    guarantee: 'A median is what stands in the middle',
    breakage: 'it is the mean',
    noticedBy: 'medianDuration: is the one in the middle of an odd number',
    open: () => alterMedian((spans) => spans.reduce((sum, span) => sum + span, 0) / spans.length),
  },
  {
    guarantee: 'Of an even number it is the mean of two',
    breakage: 'it is the lower of the two',
    noticedBy: 'medianDuration: is the mean of the two in the middle of an even number',
    open: () => alterMedian((spans) => spans[Math.floor((spans.length - 1) / 2)]),
  },
  {
    guarantee: 'There is no median of nothing',
    breakage: 'it is zero',
    noticedBy: 'medianDuration: is undefined of nothing, and of records that lack one of the two',
    open: () =>
      alterStorage((store) => ({
        medianDuration: async (query) => (await store.medianDuration(query)) ?? 0,
      })),
  },
  {
    guarantee: 'Spans have milliseconds',
    breakage: 'they are those of whole seconds',
    noticedBy: 'medianDuration: counts to the millisecond over centuries',
    open: () =>
      alterStorage((store) => ({
        medianDuration: async (query) => Math.floor(((await store.medianDuration(query)) ?? 0) / 1000) * 1000,
      })),
  },
]

const NOTHING: AggregateRow = { keys: [], count: 0, sum: 0n, latest: null }

function monthAhead(at: unknown): string | null {
  return at === null ? null : new Date(Date.parse(String(at)) + 3_600_000).toISOString().slice(0, 7)
}

function byUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** The median that `choose` makes of the spans in ascending order. */
function alterMedian(choose: (spans: readonly number[]) => number | undefined): Storage {
  return alterStorage((store) => ({
    async medianDuration({ where, from, to }) {
      const rows = (await store.find(where)).filter((row) => row[from] !== null && row[to] !== null)
      return choose(
        rows.map((row) => Date.parse(String(row[to])) - Date.parse(String(row[from]))).sort((a, b) => a - b),
      )
    },
  }))
}
