import type { Condition, Storage, Summary, SummaryQuery } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/places.ts'
import { altered, type Spot, searchedBy } from './altered.ts'
import type { Breakage } from './breakage.ts'

/** Each group goes through `change`. */
function summed(change: (groups: readonly Summary[], query: SummaryQuery<Row>) => readonly Summary[]): Storage {
  return altered((store) => ({ summarize: async (query) => change(await store.summarize(query), query) }))
}

/** Related records by the rule given. */
function relating(meets: (row: Row, condition: Condition<Row>, spot: Spot) => Promise<boolean>): Storage {
  return altered((store, spot) => {
    async function find(where: readonly Condition<Row>[]): Promise<readonly Row[]> {
      const own = where.filter((condition) => !('leadsTo' in condition || 'lacks' in condition))
      const found = await store.find(own)
      const met = await Promise.all(
        found.map((row) => Promise.all(where.filter((each) => !own.includes(each)).map((each) => meets(row, each, spot)))),
      )
      return found.filter((_, nth) => met[nth]!.every(Boolean))
    }
    return { ...searchedBy(store, find), summarize: async (query) => store.summarize({ ...query, where: idsOf(await find(query.where)) }) }
  })
}

function idsOf(rows: readonly Row[]): readonly Condition<Row>[] {
  return [{ field: 'id', oneOf: rows.map(({ id }) => id) }]
}

function storeOf({ tx, workspace }: Spot, name: string): RowStore {
  return (tx.workspace(workspace) as unknown as Readonly<Record<string, RowStore>>)[name]!
}

/** What `lacks` asks for, among the records that `who` gives. */
function lacksAmong(how: { readonly after?: true; readonly nobody?: true }): Storage {
  return relating(async (row, condition, spot) => {
    if (!('lacks' in condition)) return true
    const { collection, by, field, from } = condition.lacks
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

export const SUMMARY_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: '`leadsTo` looks at what the field leads to',
    breakage: 'any record that leads somewhere is found',
    noticedBy: 'related records: `leadsTo` finds the records whose field leads to a live record that holds the id',
    open: () => relating(async (row, condition) => !('leadsTo' in condition) || row[condition.field] !== null),
  },
  {
    guarantee: '`lacks` looks at whom a record names',
    breakage: 'a record of anybody will do',
    noticedBy: 'related records: `lacks` finds the records that no live record names at the instant or after it',
    open: () => lacksAmong({ nobody: true }),
  },
  {
    guarantee: '`lacks` includes its bound',
    breakage: 'it leaves it out',
    noticedBy: 'related records: `lacks` finds the records that no live record names at the instant or after it',
    open: () => lacksAmong({ after: true }),
  },
  {
    guarantee: 'Null is a group',
    breakage: 'records without a value are left out',
    noticedBy: 'summarize: tasks: groups by a field of any kind but json have its values, null too',
    open: () => summed((groups) => groups.filter(({ keys }) => !keys.includes(null))),
  },
  {
    guarantee: 'Keys are of the kind of their field',
    breakage: 'booleans come back as 0 and 1',
    noticedBy: 'summarize: products: groups by a field of any kind but json have its values, null too',
    open: () =>
      summed((groups) =>
        groups.map((group) => ({ ...group, keys: group.keys.map((key) => (typeof key === 'boolean' ? Number(key) : key)) })),
      ),
  },
  {
    guarantee: 'The greatest group comes first',
    breakage: 'groups come in the order of their keys',
    noticedBy: 'summarize: the greatest group comes first, by its count or by its sum, and no more than are asked for',
    open: () => summed((groups) => groups.toSorted((a, b) => (String(a.keys) < String(b.keys) ? -1 : 1))),
  },
  {
    guarantee: 'Groups are ordered by what is asked for',
    breakage: 'they are ordered by their count always',
    noticedBy: 'summarize: the greatest group comes first, by its count or by its sum, and no more than are asked for',
    open: () => altered((store) => ({ summarize: (query) => store.summarize({ ...query, order: 'count' }) })),
  },
  {
    guarantee: 'So many groups at most',
    breakage: 'all are given',
    noticedBy: 'summarize: the greatest group comes first, by its count or by its sum, and no more than are asked for',
    open: () => altered((store) => ({ summarize: (query) => store.summarize({ ...query, most: 1e6 }) })),
  },
  {
    guarantee: 'Groups of one size go by their keys',
    breakage: 'keys go by UTF-16 unit',
    noticedBy: 'summarize: ties go by the keys, one after another, nulls first and text by code point',
    open: () => summed((groups) => groups.toSorted((a, b) => b.count - a.count || byUnit(JSON.stringify(a.keys), JSON.stringify(b.keys)))),
  },
  {
    guarantee: 'Months are those of UTC',
    breakage: 'they are those of a place an hour ahead',
    noticedBy: 'summarize: months are those of UTC, to the millisecond, and null is none of them',
    open: () =>
      altered((store) => ({
        async summarize(query) {
          if (!query.by.some(({ month }) => month)) return store.summarize(query)
          const rows = await store.find(query.where)
          const months = rows.map((row) => monthAhead(row[query.by[0]!.field]))
          return [...Map.groupBy(months, (month) => month)].map(([month, { length }]) => ({ ...NOTHING, keys: [month], count: length }))
        },
      })),
  },
  {
    guarantee: 'Sums are exact',
    breakage: 'they are what a double holds',
    noticedBy: 'summarize: sums are exact beyond 2^53, and with what is below zero',
    open: () => summed((groups) => groups.map((group) => ({ ...group, sum: BigInt(Number(group.sum)) }))),
  },
  {
    guarantee: 'latest leaves nulls out',
    breakage: 'a null is the greatest, as PostgreSQL sorts it',
    noticedBy: 'summarize: latest is the greatest instant of each group, nulls left out, and null where there is none',
    open: () =>
      altered((store) => ({
        async summarize(query) {
          const groups = await store.summarize(query)
          const { latest, by } = query
          if (latest === undefined) return groups
          const rows = await store.find([{ field: latest, is: null }])
          return groups.map((group) => (rows.some((row) => row[by[0]!.field] === group.keys[0]) ? { ...group, latest: null } : group))
        },
      })),
  },
  {
    guarantee: 'Without keys there is one group',
    breakage: 'there is none for no records',
    noticedBy: 'summarize: without keys all are one group, which there is for no records too; with keys there is none',
    open: () => summed((groups) => groups.filter(({ count }) => count > 0)),
  },
  {
    guarantee: 'summarize counts what every condition finds',
    breakage: 'it looks at the first',
    noticedBy: 'summarize: counts those that every condition finds, words among them',
    open: () => altered((store) => ({ summarize: (query) => store.summarize({ ...query, where: query.where.slice(0, 1) }) })),
  },
  {
    guarantee: 'A median is what stands in the middle',
    breakage: 'it is the mean',
    noticedBy: 'medianSpan: is the one in the middle of an odd number',
    open: () => spanning((spans) => spans.reduce((sum, span) => sum + span, 0) / spans.length),
  },
  {
    guarantee: 'Of an even number it is the mean of two',
    breakage: 'it is the lower of the two',
    noticedBy: 'medianSpan: is the mean of the two in the middle of an even number',
    open: () => spanning((spans) => spans[Math.floor((spans.length - 1) / 2)]),
  },
  {
    guarantee: 'There is no median of nothing',
    breakage: 'it is zero',
    noticedBy: 'medianSpan: is undefined of nothing, and of records that lack one of the two',
    open: () => altered((store) => ({ medianSpan: async (query) => (await store.medianSpan(query)) ?? 0 })),
  },
  {
    guarantee: 'Spans have milliseconds',
    breakage: 'they are those of whole seconds',
    noticedBy: 'medianSpan: counts to the millisecond over centuries',
    open: () => altered((store) => ({ medianSpan: async (query) => Math.floor(((await store.medianSpan(query)) ?? 0) / 1000) * 1000 })),
  },
]

const NOTHING: Summary = { keys: [], count: 0, sum: 0n, latest: null }

function monthAhead(at: unknown): string | null {
  return at === null ? null : new Date(Date.parse(String(at)) + 3_600_000).toISOString().slice(0, 7)
}

function byUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** The median that `choose` makes of the spans in ascending order. */
function spanning(choose: (spans: readonly number[]) => number | undefined): Storage {
  return altered((store) => ({
    async medianSpan({ where, from, to }) {
      const rows = (await store.find(where)).filter((row) => row[from] !== null && row[to] !== null)
      return choose(rows.map((row) => Date.parse(String(row[to])) - Date.parse(String(row[from]))).sort((a, b) => a - b))
    },
  }))
}
