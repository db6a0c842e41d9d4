import { memoryStorage } from '@sales-crm/core/memory'
import type { Condition, ListQuery, Storage, Transaction } from '@sales-crm/core/ports'
import { OWN, type Place, type Row, type RowStore, SHARED } from '../src/places.ts'

/** Where an altered store stands. Shared collections have the workspace ''. */
export interface Spot {
  readonly place: Place
  readonly workspace: string
  readonly tx: Transaction
}

export type Alter = (store: RowStore, spot: Spot) => Partial<RowStore>

export type Attempt = Transaction['attempt']

/** A memory store with some verbs replaced in every collection. */
export function altered(alter: Alter): Storage {
  return alteredFrom(memoryStorage(), alter)
}

export function alteredFrom(storage: Storage, alter: Alter): Storage {
  const on = (tx: Transaction) =>
    transactionOf((place, workspace) => {
      const store = place.storeIn(tx, workspace)
      return { ...store, ...alter(store, { place, workspace, tx }) }
    }, tx)
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work(on(tx))),
    transactUnsynced: (work) => storage.transactUnsynced((tx) => work(on(tx))),
    read: (work) => storage.read((tx) => work(on(tx))),
    glance: (work) => storage.glance((tx) => work(on(tx))),
    survey: (work) => storage.survey((tx) => work(on(tx))),
  }
}

/** What a transaction has besides its stores. */
type Rest = Pick<Transaction, 'attempt' | 'outbox' | 'wake'>

export function transactionOf(storeAt: (place: Place, workspace: string) => RowStore, { attempt, outbox, wake }: Rest): Transaction {
  const storesOf = (places: readonly Place[], workspace: string) => {
    return Object.fromEntries(places.map((place) => [place.name, storeAt(place, workspace)]))
  }
  const stores = { ...storesOf(SHARED, ''), workspace: (id: string) => storesOf(OWN, id), attempt, outbox, wake }
  return stores as unknown as Transaction
}

/** A field whose value another live record holds. */
export async function takenField(store: RowStore, place: Place, row: Row): Promise<string | undefined> {
  for (const field of [...place.unique, ...place.neverReused]) {
    if (row[field] === null) continue
    const holders = await store.find([{ field, is: row[field] as string }])
    if (holders.some(({ id }) => id !== row.id)) return field
  }
  return undefined
}

/** A reference that leads to no live record. */
export async function strayField({ place, workspace, tx }: Spot, row: Row): Promise<string | undefined> {
  for (const [field, target] of Object.entries(place.refersTo)) {
    const id = row[field]
    if (typeof id === 'string' && !(await tx.workspace(workspace)[target].get(id))) return field
  }
  return undefined
}

/** Every record that is read goes through `change`. */
export function readAs(change: (row: Row, place: Place) => Row): Storage {
  return altered((store, { place }) => {
    const one = (row: Row | undefined) => row && change(row, place)
    const many = (rows: readonly Row[]) => rows.map((row) => change(row, place))
    return {
      get: async (id) => one(await store.get(id)),
      getWithLinks: async (id) => one(await store.getWithLinks(id)),
      getForUpdate: async (id) => one(await store.getForUpdate(id)),
      getToChange: async (id) => one(await store.getToChange(id)),
      getForShare: async (id) => one(await store.getForShare(id)),
      getMany: async (ids) => many(await store.getMany(ids)),
      find: async (where) => many(await store.find(where)),
      async list(query) {
        const { rows, total } = await store.list(query)
        return { rows: many(rows), total }
      },
    }
  })
}

interface Search {
  /** Which condition finds which record. */
  readonly meets?: (row: Row, condition: Condition<Row>) => boolean
  readonly sorted?: (rows: readonly Row[], query: Pick<ListQuery<Row>, 'order_by' | 'order'>) => readonly Row[]
}

/** find, has, list and tally by the rules given, those of the memory store where none is. */
export function searching({ meets, sorted }: Search): Storage {
  return altered((store) => {
    async function found(where: readonly Condition<Row>[]): Promise<readonly Row[]> {
      if (!meets) return store.find(where)
      return (await store.find([])).filter((row) => where.every((condition) => meets(row, condition)))
    }
    return searchedBy(store, found, sorted)
  })
}

type Find = RowStore['find']

/** The verbs that search, made of the first of them. */
export function searchedBy(store: RowStore, find: Find, sorted?: Search['sorted']): Partial<RowStore> {
  return {
    find,
    has: async (where) => (await find(where)).length > 0,
    async tally(field, words) {
      const counts = words.map(async (word) => [word, (await find([{ field, holds: word }])).length] as const)
      return new Map(await Promise.all(counts))
    },
    async list(query) {
      const ids = (await find(query.where)).map(({ id }) => id)
      const inOrder = await store.list({ ...query, page: 1, per_page: 1e6, where: [{ field: 'id', oneOf: ids }] })
      const rows = sorted?.(inOrder.rows, query) ?? inOrder.rows
      const start = (query.page - 1) * query.per_page
      return { rows: rows.slice(start, start + query.per_page), total: rows.length }
    },
  }
}

/** The memory store's rule for one condition on the row itself. */
export function meetsSoundly(row: Row, condition: Condition<Row>): boolean {
  const value = row[condition.field]
  if ('is' in condition) return value === condition.is
  if (value === null) return false
  if ('oneOf' in condition) return condition.oneOf.includes(String(value))
  if ('holds' in condition) return wordsOf(value).includes(condition.holds)
  if ('begins' in condition) return wordsOf(value).some((word) => word.startsWith(condition.begins))
  if ('from' in condition) return String(value) >= condition.from
  return 'to' in condition && String(value) <= condition.to
}

export function wordsOf(value: unknown): string[] {
  return String(value).split(' ')
}
