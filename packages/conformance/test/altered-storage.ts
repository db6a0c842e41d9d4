import { memoryStorage } from '@sales-crm/core/memory'
import {
  type Condition,
  type ListQuery,
  type Storage,
  type Transaction,
  toCollection,
} from '@sales-crm/core/ports'
import {
  type CollectionSpec,
  GLOBAL_COLLECTIONS,
  type Row,
  type RowStore,
  WORKSPACE_COLLECTIONS,
} from '../src/collections.ts'

/** Collection, workspace and transaction of an altered store. The workspace of shared collections is ''. */
export interface StoreLocation {
  readonly spec: CollectionSpec
  readonly workspace: string
  readonly tx: Transaction
}

export type Alter = (store: RowStore, location: StoreLocation) => Partial<RowStore>

export type Savepoint = Transaction['savepoint']

/** A memory store with some methods replaced in every collection. */
export function alterStorage(alter: Alter): Storage {
  return alterStores(memoryStorage(), alter)
}

export function alterStores(storage: Storage, alter: Alter): Storage {
  const alterTransaction = (tx: Transaction) =>
    createTransaction((spec, workspace) => {
      const store = spec.storeIn(tx, workspace)
      return { ...store, ...alter(store, { spec, workspace, tx }) }
    }, tx)
  return {
    ...storage,
    transact: (work, options) => storage.transact((tx) => work(alterTransaction(tx)), options),
    read: (work, options) => storage.read((tx) => work(alterTransaction(tx)), options),
  }
}

/** The members of a transaction other than its stores. */
type TransactionExtras = Pick<Transaction, 'savepoint' | 'outbox' | 'lock' | 'notify' | 'measureWorkspace'>

export function createTransaction(
  storeAt: (spec: CollectionSpec, workspace: string) => RowStore,
  { savepoint, outbox, lock, notify, measureWorkspace }: TransactionExtras,
): Transaction {
  const storesOf = (specs: readonly CollectionSpec[], workspace: string) => {
    return Object.fromEntries(specs.map((spec) => [spec.name, storeAt(spec, workspace)]))
  }
  const stores = {
    ...storesOf(GLOBAL_COLLECTIONS, ''),
    workspace: (id: string) => storesOf(WORKSPACE_COLLECTIONS, id),
    savepoint,
    outbox,
    lock,
    notify,
    measureWorkspace,
  }
  return stores as unknown as Transaction
}

/** Returns a unique field whose value another live record holds. */
export async function findConflict(
  store: RowStore,
  spec: CollectionSpec,
  row: Row,
): Promise<string | undefined> {
  for (const field of [...spec.unique, ...spec.uniqueForever]) {
    if (row[field] === null) continue
    const holders = await store.find([{ field, is: row[field] as string }])
    if (holders.some(({ id }) => id !== row.id)) return field
  }
  return undefined
}

/** Returns a foreign key that refers to no live record. */
export async function findDanglingReference(
  { spec, workspace, tx }: StoreLocation,
  row: Row,
): Promise<string | undefined> {
  for (const [field, target] of Object.entries(spec.foreignKeys)) {
    const id = row[field]
    if (typeof id === 'string' && !(await tx.workspace(workspace)[toCollection(target)].get(id))) return field
  }
  return undefined
}

/** A store that applies `change` to every record it returns. */
export function mapReads(change: (row: Row, spec: CollectionSpec) => Row): Storage {
  return alterStorage((store, { spec }) => {
    const changeRow = (row: Row | undefined) => row && change(row, spec)
    const changeRows = (rows: readonly Row[]) => rows.map((row) => change(row, spec))
    return {
      get: async (id) => changeRow(await store.get(id)),
      getForUpdate: async (id, options) => changeRow(await store.getForUpdate(id, options)),
      getForShare: async (id) => changeRow(await store.getForShare(id)),
      getMany: async (ids) => changeRows(await store.getMany(ids)),
      find: async (where) => changeRows(await store.find(where)),
      async list(query) {
        const { rows, total } = await store.list(query)
        return { rows: changeRows(rows), total }
      },
    }
  })
}

interface Search {
  /** Defaults to the rule of the memory store. */
  readonly matches?: (row: Row, condition: Condition<Row>) => boolean
  readonly sort?: (rows: readonly Row[], query: Pick<ListQuery<Row>, 'order_by' | 'order'>) => readonly Row[]
}

/** A store whose find, has, list and countByTerm follow other rules. */
export function alterSearch({ matches, sort }: Search): Storage {
  return alterStorage((store) => {
    async function find(where: readonly Condition<Row>[]): Promise<readonly Row[]> {
      if (!matches) return store.find(where)
      return (await store.find([])).filter((row) => where.every((condition) => matches(row, condition)))
    }
    return searchMethods(store, find, sort)
  })
}

type Find = RowStore['find']

/** The search methods, derived from `find`. */
export function searchMethods(store: RowStore, find: Find, sort?: Search['sort']): Partial<RowStore> {
  return {
    find,
    has: async (where) => (await find(where)).length > 0,
    async countByTerm(field, terms) {
      const counts = terms.map(
        async (term) => [term, (await find([{ field, hasTerm: term }])).length] as const,
      )
      return new Map(await Promise.all(counts))
    },
    async list(query) {
      const ids = (await find(query.where)).map(({ id }) => id)
      const sorted = await store.list({
        ...query,
        page: 1,
        per_page: 1e6,
        where: [{ field: 'id', oneOf: ids }],
      })
      const rows = sort?.(sorted.rows, query) ?? sorted.rows
      const start = (query.page - 1) * query.per_page
      return { rows: rows.slice(start, start + query.per_page), total: rows.length }
    },
  }
}

/** Evaluates a condition on the row itself, like the memory store. */
export function matchesCondition(row: Row, condition: Condition<Row>): boolean {
  if ('anyOf' in condition) return condition.anyOf.some((operand) => matchesCondition(row, operand))
  if ('allOf' in condition) return condition.allOf.every((operand) => matchesCondition(row, operand))
  if ('not' in condition) return !matchesCondition(row, condition.not)
  const value = row[condition.field]
  if ('is' in condition) return value === condition.is
  if (value === null) return false
  if ('oneOf' in condition) return condition.oneOf.includes(String(value))
  if ('hasTerm' in condition) return splitTerms(value).includes(condition.hasTerm)
  if ('hasPrefix' in condition) return splitTerms(value).some((term) => term.startsWith(condition.hasPrefix))
  if ('from' in condition) return String(value) >= condition.from
  return 'to' in condition && String(value) <= condition.to
}

export function splitTerms(value: unknown): string[] {
  return String(value).split(' ')
}
