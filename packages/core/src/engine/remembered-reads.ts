import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'

/** The records of a collection that changes rarely: within the transaction, an equal read is repeated after a write only. */
export class RememberedReads<R extends RecordBase> implements RecordStore<R> {
  readonly #store: RecordStore<R>
  readonly #onWrite: () => void
  readonly #results = new Map<string, Promise<unknown>>()

  constructor(store: RecordStore<R>, onWrite: () => void) {
    this.#store = store
    this.#onWrite = onWrite
  }

  forget(): void {
    this.#results.clear()
  }

  get: RecordStore<R>['get'] = (id) => this.#read('get', id, () => this.#store.get(id))
  getForShare: RecordStore<R>['getForShare'] = (id) =>
    this.#read('getForShare', id, () => this.#store.getForShare(id))
  getMany: RecordStore<R>['getMany'] = (ids) => this.#read('getMany', ids, () => this.#store.getMany(ids))
  find: RecordStore<R>['find'] = (where) => this.#read('find', where, () => this.#store.find(where))
  has: RecordStore<R>['has'] = (where) => this.#read('has', where, () => this.#store.has(where))

  getForUpdate: RecordStore<R>['getForUpdate'] = (id, options) => this.#store.getForUpdate(id, options)
  list: RecordStore<R>['list'] = (query) => this.#store.list(query)
  countByTerm: RecordStore<R>['countByTerm'] = (field, terms) => this.#store.countByTerm(field, terms)
  aggregate: RecordStore<R>['aggregate'] = (query) => this.#store.aggregate(query)
  listGroups: RecordStore<R>['listGroups'] = (query) => this.#store.listGroups(query)
  medianDuration: RecordStore<R>['medianDuration'] = (query) => this.#store.medianDuration(query)
  scan: RecordStore<R>['scan'] = (query) => this.#store.scan(query)

  insert: RecordStore<R>['insert'] = (record) => this.#written().insert(record)
  insertMany: RecordStore<R>['insertMany'] = (records) => this.#written().insertMany(records)
  update: RecordStore<R>['update'] = (record) => this.#written().update(record)
  softDelete: RecordStore<R>['softDelete'] = (id, at) => this.#written().softDelete(id, at)
  hardDelete: RecordStore<R>['hardDelete'] = (id) => this.#written().hardDelete(id)

  #read<T>(verb: string, query: unknown, read: () => Promise<T>): Promise<T> {
    const key = `${verb} ${JSON.stringify(query)}`
    const known = this.#results.get(key) as Promise<T> | undefined
    if (known) return known
    const result = read()
    this.#results.set(key, result)
    return result
  }

  #written(): RecordStore<R> {
    this.#onWrite()
    this.forget()
    return this.#store
  }
}
