import type { Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { alterSearch, alterStorage, matchesCondition } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const SEARCH_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Null matches `is: null` alone',
    breakage: 'a null is found by `to`',
    noticedBy:
      'conditions: tasks: `from` and `to` include their bound, to the millisecond, and never find null',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          ('to' in condition && row[condition.field] === null) || matchesCondition(row, condition),
      }),
  },
  {
    guarantee: '`is: null` finds nulls',
    breakage: 'it finds nothing, as `= null` does in SQL',
    noticedBy: 'conditions: people: `is: null` finds the nulls alone',
    open: () =>
      alterSearch({
        matches: (row, condition) => row[condition.field] !== null && matchesCondition(row, condition),
      }),
  },
  {
    guarantee: '`from` and `to` include their bound',
    breakage: '`from` leaves it out',
    noticedBy:
      'conditions: deals: `from` and `to` include their bound, to the millisecond, and never find null',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          matchesCondition(row, condition) &&
          !('from' in condition && row[condition.field] === condition.from),
      }),
  },
  {
    guarantee: '`oneOf` of nothing finds nothing',
    breakage: 'an empty list is no condition',
    noticedBy:
      'conditions: stages: `oneOf` finds each value it names, nothing for an empty list, and never null',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          ('oneOf' in condition && condition.oneOf.length === 0) || matchesCondition(row, condition),
      }),
  },
  {
    guarantee: 'Every condition holds',
    breakage: 'one that holds is enough',
    noticedBy: 'conditions: companies: every condition must hold',
    open: () =>
      alterStorage((store) => ({
        find: async (where) =>
          (await store.find([])).filter((row) => where.some((condition) => matchesCondition(row, condition))),
      })),
  },
  {
    guarantee: 'Text is compared to the letter',
    breakage: '`is` is without regard to case',
    noticedBy: 'conditions: text is compared to the letter: case, accents, white space, % and _ count',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          'is' in condition
            ? String(row[condition.field]).toLowerCase() === String(condition.is).toLowerCase()
            : matchesCondition(row, condition),
      }),
  },
  {
    guarantee: 'getMany gives each once',
    breakage: 'a record named twice comes twice',
    noticedBy:
      'conditions: getMany gives each record once, however often it is named, and nothing for no ids',
    open: () =>
      alterStorage((store) => ({
        getMany: async (ids) => (await Promise.all(ids.map((id) => store.getMany([id])))).flat(),
      })),
  },
  {
    guarantee: 'Many values can be asked for',
    breakage: 'a statement takes 999 parameters',
    noticedBy: 'conditions: `oneOf` and getMany take a thousand values',
    open: () =>
      alterStorage((store) => ({
        getMany: (ids) =>
          ids.length > 999 ? Promise.reject(new Error('too many SQL variables')) : store.getMany(ids),
      })),
  },
  {
    guarantee: 'Text orders by code point',
    breakage: 'text orders by UTF-16 unit',
    noticedBy: 'order and pages: pipelines: list goes by name, nulls first ascending and last descending',
    open: () => alterSearch({ sort: sortRowsBy((a, b) => (a < b ? -1 : Number(a > b))) }),
  },
  {
    guarantee: 'Upper case orders before lower case',
    breakage: "text orders by a language's rules",
    noticedBy: 'order and pages: people: list goes by full_name, nulls first ascending and last descending',
    open: () => alterSearch({ sort: sortRowsBy((a, b) => a.localeCompare(b, 'en')) }),
  },
  {
    guarantee: 'list keeps the order it is asked for',
    breakage: 'list ignores it',
    noticedBy: 'order and pages: tasks: list goes by due_date, nulls first ascending and last descending',
    open: () =>
      alterStorage((store) => ({ list: (query) => store.list({ ...query, order_by: 'id', order: 'asc' }) })),
  },
  {
    guarantee: 'Nulls come first ascending, last descending',
    breakage: 'they come last ascending, first descending',
    noticedBy: 'order and pages: deals: list goes by closed_at, nulls first ascending and last descending',
    open: () =>
      alterSearch({
        sort(rows, { order_by, order }) {
          const [nulls, others] = [
            rows.filter((row) => row[order_by] === null),
            rows.filter((row) => row[order_by] !== null),
          ]
          return order === 'asc' ? [...others, ...nulls] : [...nulls, ...others]
        },
      }),
  },
  {
    guarantee: 'Ties go by id in the same direction',
    breakage: 'ties go by ascending id always',
    noticedBy: 'order and pages: users: list breaks ties by id, in the direction of the order, nulls too',
    open: () =>
      alterSearch({
        sort: (rows, { order_by, order }) =>
          order === 'asc' ? rows : groupRowsBy(rows, order_by).flatMap((group) => group.reverse()),
      }),
  },
  {
    guarantee: 'Pages together are the whole',
    breakage: 'each page begins one record early',
    noticedBy: 'order and pages: pages of any size, one after another, are the whole in order, for any text',
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const { rows, total } = await store.list({ ...query, page: 1, per_page: 1e6 })
          const start = Math.max(0, (query.page - 1) * query.per_page - 1)
          return { rows: rows.slice(start, start + query.per_page), total }
        },
      })),
  },
  {
    guarantee: 'A page past the last is empty',
    breakage: 'the database refuses an offset of more than 32 bits',
    noticedBy:
      'order and pages: a page past the last is empty and knows the total, up to the greatest page number there is',
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          if (query.page * query.per_page > 2 ** 32) throw new Error('OFFSET is out of range')
          return store.list(query)
        },
      })),
  },
  {
    guarantee: 'total counts all that match',
    breakage: 'total counts the rows of the page',
    noticedBy: 'order and pages: total counts all that match the conditions, on every page',
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const { rows } = await store.list(query)
          return { rows, total: rows.length }
        },
      })),
  },
  {
    guarantee: 'find goes by created_at, then id',
    breakage: 'find goes by id',
    noticedBy: 'order and pages: find goes by created_at, then by id',
    open: () =>
      alterStorage((store) => ({
        find: async (where) => [...(await store.find(where))].sort((a, b) => (a.id < b.id ? -1 : 1)),
      })),
  },
]

function sortRowsBy(compareText: (a: string, b: string) => number) {
  return (
    rows: readonly Row[],
    { order_by, order }: { readonly order_by: string; readonly order: 'asc' | 'desc' },
  ): readonly Row[] => {
    const ascending = [...rows].sort((a, b) => {
      const [left, right] = [a[order_by], b[order_by]]
      if (left === null || right === null) return Number(right === null) - Number(left === null)
      return compareText(String(left), String(right)) || (a.id < b.id ? -1 : 1)
    })
    return order === 'asc' ? ascending : ascending.reverse()
  }
}

/** Neighbours of one value, together. */
function groupRowsBy(rows: readonly Row[], field: string): Row[][] {
  return [...Map.groupBy(rows, (row) => row[field]).values()]
}
