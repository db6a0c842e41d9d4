import type { Row, RowStore } from './places.ts'
import { instant } from './samples.ts'

/** One call of a store. `row` is there, `next` is not. */
export interface Call {
  readonly name: string
  make(store: RowStore, row: Row, next: Row): Promise<unknown>
}

/** `tally` is of `found_by`: to be used on a collection that has it. */
export const READS: readonly Call[] = [
  { name: 'get', make: (store, { id }) => store.get(id) },
  { name: 'getWithLinks', make: (store, { id }) => store.getWithLinks(id) },
  { name: 'getForUpdate', make: (store, { id }) => store.getForUpdate(id) },
  { name: 'getToChange', make: (store, { id }) => store.getToChange(id) },
  { name: 'getForShare', make: (store, { id }) => store.getForShare(id) },
  { name: 'getMany', make: (store, { id }) => store.getMany([id]) },
  { name: 'find', make: (store) => store.find([]) },
  { name: 'has', make: (store) => store.has([]) },
  { name: 'tally', make: (store) => store.tally('found_by', ['shared']) },
  { name: 'summarize', make: (store) => store.summarize({ where: [], by: [], order: 'count', most: 1 }) },
  { name: 'medianSpan', make: (store) => store.medianSpan({ where: [], from: 'created_at', to: 'updated_at' }) },
  { name: 'list', make: (store) => store.list({ page: 1, per_page: 5, order_by: 'created_at', order: 'asc', where: [] }) },
]

export const WRITES: readonly Call[] = [
  { name: 'insert', make: (store, _, next) => store.insert(next) },
  { name: 'insertMany', make: (store, _, next) => store.insertMany([next]) },
  { name: 'update', make: (store, row) => store.update({ ...row, updated_at: instant(9) }) },
  { name: 'softDelete', make: (store, row) => store.softDelete(row.id, instant(9)) },
  { name: 'erase', make: (store, row) => store.erase(row.id) },
]
