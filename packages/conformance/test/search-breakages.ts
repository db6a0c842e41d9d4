import type { Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { alterSearch, alterStorage, matchesCondition } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const SEARCH_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Only `is: null` matches null',
    breakage: '`to` matches null',
    noticedBy: 'conditions: tasks: `from` and `to` are inclusive to the millisecond and never match null',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          ('to' in condition && row[condition.field] === null) || matchesCondition(row, condition),
      }),
  },
  {
    guarantee: '`is: null` matches null',
    breakage: '`is: null` matches nothing, like `= null` in SQL',
    noticedBy: 'conditions: people: `is: null` matches only null',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          'field' in condition && row[condition.field] !== null && matchesCondition(row, condition),
      }),
  },
  {
    guarantee: '`from` and `to` are inclusive',
    breakage: '`from` is exclusive',
    noticedBy: 'conditions: deals: `from` and `to` are inclusive to the millisecond and never match null',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          matchesCondition(row, condition) &&
          !('from' in condition && row[condition.field] === condition.from),
      }),
  },
  {
    guarantee: 'An empty `oneOf` matches nothing',
    breakage: 'an empty `oneOf` matches everything',
    noticedBy:
      'conditions: stages: `oneOf` matches each listed value, nothing for an empty list, and never null',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          ('oneOf' in condition && condition.oneOf.length === 0) || matchesCondition(row, condition),
      }),
  },
  {
    guarantee: 'A record must satisfy every condition',
    breakage: 'a record need satisfy only one condition',
    noticedBy: 'conditions: companies: a record must satisfy every condition',
    open: () =>
      alterStorage((store) => ({
        find: async (where) =>
          (await store.find([])).filter((row) => where.some((condition) => matchesCondition(row, condition))),
      })),
  },
  {
    guarantee: 'Text is compared exactly',
    breakage: '`is` ignores case',
    noticedBy: 'conditions: text is compared exactly: case, accents, white space, % and _ are significant',
    open: () =>
      alterSearch({
        matches: (row, condition) =>
          'is' in condition
            ? String(row[condition.field]).toLowerCase() === String(condition.is).toLowerCase()
            : matchesCondition(row, condition),
      }),
  },
  {
    guarantee: 'getMany returns each record once',
    breakage: 'getMany returns a record twice for a repeated id',
    noticedBy: 'conditions: getMany returns each record once for repeated ids, and nothing for no ids',
    open: () =>
      alterStorage((store) => ({
        getMany: async (ids) => (await Promise.all(ids.map((id) => store.getMany([id])))).flat(),
      })),
  },
  {
    guarantee: 'Queries accept a thousand values',
    breakage: 'a statement accepts 999 parameters',
    noticedBy: 'conditions: `oneOf` and getMany accept a thousand values',
    open: () =>
      alterStorage((store) => ({
        getMany: (ids) =>
          ids.length > 999 ? Promise.reject(new Error('too many SQL variables')) : store.getMany(ids),
      })),
  },
  {
    guarantee: 'Text sorts by code point',
    breakage: 'text sorts by UTF-16 code unit',
    noticedBy: 'sorting and paging: pipelines: list sorts by name, nulls first ascending and last descending',
    open: () => alterSearch({ sort: sortRowsBy((a, b) => (a < b ? -1 : Number(a > b))) }),
  },
  {
    guarantee: 'Upper case sorts before lower case',
    breakage: 'text sorts by the collation of a language',
    noticedBy:
      'sorting and paging: people: list sorts by full_name, nulls first ascending and last descending',
    open: () => alterSearch({ sort: sortRowsBy((a, b) => a.localeCompare(b, 'en')) }),
  },
  {
    guarantee: 'list sorts as requested',
    breakage: 'list ignores the sort order',
    noticedBy: 'sorting and paging: tasks: list sorts by due_date, nulls first ascending and last descending',
    open: () =>
      alterStorage((store) => ({ list: (query) => store.list({ ...query, order_by: 'id', order: 'asc' }) })),
  },
  {
    guarantee: 'Nulls sort first ascending, last descending',
    breakage: 'nulls sort last ascending, first descending',
    noticedBy:
      'sorting and paging: deals: list sorts by closed_at, nulls first ascending and last descending',
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
    guarantee: 'Ties sort by id in the same direction',
    breakage: 'ties always sort by ascending id',
    noticedBy:
      'sorting and paging: users: list breaks ties by id in the direction of the sort, nulls included',
    open: () =>
      alterSearch({
        sort: (rows, { order_by, order }) =>
          order === 'asc' ? rows : groupRowsBy(rows, order_by).flatMap((group) => group.reverse()),
      }),
  },
  {
    guarantee: 'list sorts by a second key',
    breakage: 'list ignores the second key',
    noticedBy: 'sorting by several keys: all pages are in order by two keys and by members of json fields',
    open: () => alterStorage((store) => ({ list: ({ thenBy: _, ...query }) => store.list(query) })),
  },
  {
    guarantee: 'list sorts by a member of a json field',
    breakage: 'a member sorts as text, whatever its type',
    noticedBy: 'sorting by several keys: all pages are in order by two keys and by members of json fields',
    open: () =>
      alterStorage((store) => ({
        list: ({ member, ...query }) =>
          store.list({ ...query, ...(member && { member: { ...member, type: 'text' } }) }),
      })),
  },
  {
    guarantee: 'list sorts by what is computed of other records',
    breakage: 'a sum counts records that do not match',
    noticedBy: 'sorting by several keys: all pages are in order by what is computed of other records',
    open: () =>
      alterStorage((store) => ({
        list: ({ related, ...query }) =>
          store.list({ ...query, ...(related && { related: { ...related, where: [] } }) }),
      })),
  },
  {
    guarantee: 'Consecutive pages cover all records',
    breakage: 'each page begins one record early',
    noticedBy: 'sorting and paging: consecutive pages of any size cover all records in order, for any text',
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
    breakage: 'the database rejects an offset of more than 32 bits',
    noticedBy:
      'sorting and paging: a page past the last is empty and has the total, up to Number.MAX_SAFE_INTEGER',
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          if (query.page * query.per_page > 2 ** 32) throw new Error('OFFSET is out of range')
          return store.list(query)
        },
      })),
  },
  {
    guarantee: 'total counts every match',
    breakage: 'total counts the rows of the page',
    noticedBy: 'sorting and paging: total counts every match on every page',
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const { rows } = await store.list(query)
          return { rows, total: rows.length }
        },
      })),
  },
  {
    guarantee: 'find sorts by created_at, then by id',
    breakage: 'find sorts by id',
    noticedBy: 'sorting and paging: find sorts by created_at, then by id',
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
