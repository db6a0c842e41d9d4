import type { Row, RowStore } from './collections.ts'
import { instant } from './sample-rows.ts'

/** One call of a store, where `row` exists and `next` does not. */
export interface Call {
  readonly name: string
  run(store: RowStore, row: Row, next: Row): Promise<unknown>
}

const SORT = { order_by: 'created_at', order: 'asc' } as const
const ALL_IN_ONE_GROUP = { where: [], groupBy: 'id', limit: 1, sum: 'amount', sumBy: 'currency' } as const

/** `countByTerm` needs a collection that has the field `search_terms`. */
export const READS: readonly Call[] = [
  { name: 'get', run: (store, { id }) => store.get(id) },
  { name: 'getForUpdate', run: (store, { id }) => store.getForUpdate(id) },
  {
    name: 'getForUpdate with an optimistic lock',
    run: (store, { id }) => store.getForUpdate(id, { lock: 'optimistic' }),
  },
  { name: 'getForShare', run: (store, { id }) => store.getForShare(id) },
  { name: 'getMany', run: (store, { id }) => store.getMany([id]) },
  { name: 'find', run: (store) => store.find([]) },
  { name: 'has', run: (store) => store.has([]) },
  { name: 'countByTerm', run: (store) => store.countByTerm('search_terms', ['shared']) },
  {
    name: 'aggregate',
    run: (store) => store.aggregate({ where: [], groupBy: [], order: 'count', limit: 1 }),
  },
  {
    name: 'listGroups',
    run: (store) => store.listGroups({ ...ALL_IN_ONE_GROUP, sections: [{ ...SORT, keys: [], where: [] }] }),
  },
  {
    name: 'medianDuration',
    run: (store) => store.medianDuration({ where: [], from: 'created_at', to: 'updated_at' }),
  },
  {
    name: 'list',
    run: (store) => store.list({ page: 1, per_page: 5, order_by: 'created_at', order: 'asc', where: [] }),
  },
  { name: 'scan', run: (store) => store.scan({ state: 'live', after: null, limit: 1 }) },
]

export const WRITES: readonly Call[] = [
  { name: 'insert', run: (store, _, next) => store.insert(next) },
  { name: 'insertMany', run: (store, _, next) => store.insertMany([next]) },
  { name: 'update', run: (store, row) => store.update({ ...row, updated_at: instant(9) }) },
  { name: 'softDelete', run: (store, row) => store.softDelete(row.id, instant(9)) },
  { name: 'hardDelete', run: (store, row) => store.hardDelete(row.id) },
]
