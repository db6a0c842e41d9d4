import type { AggregateQuery, AggregateRow, Condition, Storage } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/collections.ts'
import { alterStorage, type StoreLocation, searchMethods } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

/** A store that applies `change` to the groups. */
function alterGroups(
  change: (groups: readonly AggregateRow[], query: AggregateQuery<Row>) => readonly AggregateRow[],
): Storage {
  return alterStorage((store) => ({
    aggregate: async (query) => change(await store.aggregate(query), query),
  }))
}

/** A store with another rule for conditions on other records. */
function alterRelated(
  matches: (row: Row, condition: Condition<Row>, location: StoreLocation) => Promise<boolean>,
): Storage {
  return alterStorage((store, location) => {
    async function find(where: readonly Condition<Row>[]): Promise<readonly Row[]> {
      const ownConditions = where.filter(
        (condition) => !('whereRelated' in condition || 'notExists' in condition),
      )
      const rows = await store.find(ownConditions)
      const results = await Promise.all(
        rows.map((row) =>
          Promise.all(
            where.filter((each) => !ownConditions.includes(each)).map((each) => matches(row, each, location)),
          ),
        ),
      )
      return rows.filter((_, nth) => results[nth]!.every(Boolean))
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

/** `notExists` with an exclusive bound, or regardless of the record that is referred to. */
function alterNotExists(options: {
  readonly excludesBound?: true
  readonly ignoresReference?: true
}): Storage {
  return alterRelated(async (row, condition, location) => {
    if (!('notExists' in condition)) return true
    const { collection, foreignKey, field, from } = condition.notExists
    const where = options.ignoresReference
      ? [{ field, from }]
      : [
          { field: foreignKey, is: row.id },
          { field, from },
        ]
    const referring = await storeOf(location, collection).find(where)
    return !referring.some((each) => !options.excludesBound || each[field] !== from)
  })
}

export const AGGREGATE_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: '`whereRelated` examines the referenced record',
    breakage: '`whereRelated` matches any non-null reference',
    noticedBy: 'related records: `whereRelated` matches a reference to a live record that holds the id',
    open: () =>
      alterRelated(async (row, condition) => !('whereRelated' in condition) || row[condition.field] !== null),
  },
  {
    guarantee: '`notExists` examines only referring records',
    breakage: '`notExists` considers records that refer to others',
    noticedBy:
      'related records: `notExists` matches records that no live record refers to at or after the instant',
    open: () => alterNotExists({ ignoresReference: true }),
  },
  {
    guarantee: '`notExists` includes its bound',
    breakage: '`notExists` excludes its bound',
    noticedBy:
      'related records: `notExists` matches records that no live record refers to at or after the instant',
    open: () => alterNotExists({ excludesBound: true }),
  },
  {
    guarantee: 'Null is a group',
    breakage: 'records without a value are omitted',
    noticedBy: 'aggregate: tasks: groups by the values of any field except json, null included',
    open: () => alterGroups((groups) => groups.filter(({ keys }) => !keys.includes(null))),
  },
  {
    guarantee: 'Keys have the type of their field',
    breakage: 'booleans come back as 0 and 1',
    noticedBy: 'aggregate: products: groups by the values of any field except json, null included',
    open: () =>
      alterGroups((groups) =>
        groups.map((group) => ({
          ...group,
          keys: group.keys.map((key) => (typeof key === 'boolean' ? Number(key) : key)),
        })),
      ),
  },
  {
    guarantee: 'The greatest group comes first',
    breakage: 'groups are sorted by key',
    noticedBy: 'aggregate: sorts groups by count or by sum, greatest first, and returns at most `limit`',
    open: () =>
      alterGroups((groups) => groups.toSorted((a, b) => (String(a.keys) < String(b.keys) ? -1 : 1))),
  },
  {
    guarantee: 'Groups are sorted as requested',
    breakage: 'groups are always sorted by count',
    noticedBy: 'aggregate: sorts groups by count or by sum, greatest first, and returns at most `limit`',
    open: () =>
      alterStorage((store) => ({ aggregate: (query) => store.aggregate({ ...query, order: 'count' }) })),
  },
  {
    guarantee: 'aggregate returns at most `limit` groups',
    breakage: 'aggregate returns all groups',
    noticedBy: 'aggregate: sorts groups by count or by sum, greatest first, and returns at most `limit`',
    open: () =>
      alterStorage((store) => ({ aggregate: (query) => store.aggregate({ ...query, limit: 1e6 }) })),
  },
  {
    guarantee: 'Groups of equal size are sorted by key',
    breakage: 'keys sort by UTF-16 code unit',
    noticedBy: 'aggregate: breaks ties by the keys in order, nulls first and text by code point',
    open: () =>
      alterGroups((groups) =>
        groups.toSorted(
          (a, b) => b.count - a.count || compareCodeUnits(JSON.stringify(a.keys), JSON.stringify(b.keys)),
        ),
      ),
  },
  {
    guarantee: 'An instant at a boundary is after it',
    breakage: 'an instant at a boundary is before it',
    noticedBy:
      'aggregate: groups instants by the boundaries between which they are, to the millisecond, and null separately',
    open: () =>
      alterStorage((store) => ({
        aggregate: (query) =>
          store.aggregate({
            ...query,
            groupBy: query.groupBy.map(({ field, boundaries }) => ({
              field,
              ...(boundaries && {
                boundaries: boundaries.map((at) => new Date(Date.parse(at) + 1).toISOString()),
              }),
            })),
          }),
      })),
  },
  {
    guarantee: 'Sums are exact',
    breakage: 'sums have the precision of a double',
    noticedBy: 'aggregate: sums exactly beyond 2^53 and with negative values',
    open: () =>
      alterGroups((groups) => groups.map((group) => ({ ...group, sum: BigInt(Number(group.sum)) }))),
  },
  {
    guarantee: '`latest` ignores nulls',
    breakage: '`latest` treats null as the greatest value, like PostgreSQL',
    noticedBy:
      'aggregate: returns the latest instant of each group, ignoring nulls, or null if there is none',
    open: () =>
      alterStorage((store) => ({
        async aggregate(query) {
          const groups = await store.aggregate(query)
          const { latest, groupBy } = query
          if (latest === undefined) return groups
          const rows = await store.find([{ field: latest, is: null }])
          return groups.map((group) =>
            rows.some((row) => row[groupBy[0]!.field] === group.keys[0]) ? { ...group, latest: null } : group,
          )
        },
      })),
  },
  {
    guarantee: 'aggregate without keys returns one group',
    breakage: 'aggregate without keys returns no group for no records',
    noticedBy:
      'aggregate: returns one group without keys, even for no records, and none with keys for no records',
    open: () => alterGroups((groups) => groups.filter(({ count }) => count > 0)),
  },
  {
    guarantee: 'aggregate applies every condition',
    breakage: 'aggregate applies only the first condition',
    noticedBy: 'aggregate: counts records that satisfy every condition, on terms too',
    open: () =>
      alterStorage((store) => ({
        aggregate: (query) => store.aggregate({ ...query, where: query.where.slice(0, 1) }),
      })),
  },
  {
    guarantee: 'The median is the middle value',
    breakage: 'the median is the mean',
    noticedBy: 'medianDuration: is the middle value of an odd number of durations',
    open: () =>
      alterMedian((durations) => durations.reduce((sum, duration) => sum + duration, 0) / durations.length),
  },
  {
    guarantee: 'The median of an even number is the mean of two',
    breakage: 'the median of an even number is the lower middle value',
    noticedBy: 'medianDuration: is the mean of the two middle values of an even number of durations',
    open: () => alterMedian((durations) => durations[Math.floor((durations.length - 1) / 2)]),
  },
  {
    guarantee: 'The median of nothing is undefined',
    breakage: 'the median of nothing is zero',
    noticedBy: 'medianDuration: is undefined if no record has both instants',
    open: () =>
      alterStorage((store) => ({
        medianDuration: async (query) => (await store.medianDuration(query)) ?? 0,
      })),
  },
  {
    guarantee: 'Durations have millisecond precision',
    breakage: 'durations are truncated to seconds',
    noticedBy: 'medianDuration: is exact to the millisecond over centuries',
    open: () =>
      alterStorage((store) => ({
        medianDuration: async (query) => Math.floor(((await store.medianDuration(query)) ?? 0) / 1000) * 1000,
      })),
  },
]

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** A store that takes the median from `choose`, given the durations in ascending order. */
function alterMedian(choose: (durations: readonly number[]) => number | undefined): Storage {
  return alterStorage((store) => ({
    async medianDuration({ where, from, to }) {
      const rows = (await store.find(where)).filter((row) => row[from] !== null && row[to] !== null)
      return choose(
        rows.map((row) => Date.parse(String(row[to])) - Date.parse(String(row[from]))).sort((a, b) => a - b),
      )
    },
  }))
}
