import type { RecordBase } from '../kernel/record.ts'
import type { Condition } from '../kernel/record-queries.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { Collection } from '../schema/index.ts'
import type { InsertBuffer } from './insert-buffer.ts'

/**
 * A collection whose inserts are buffered. A read by id, or by a facet that no stored record has, is answered from the
 * buffer. Before any other read or write that may depend on buffered records, they are inserted.
 */
export class BufferedStore<R extends RecordBase> implements RecordStore<R> {
  readonly #collection: Collection
  readonly #store: RecordStore<R>
  readonly #buffer: InsertBuffer
  readonly #onWrite: () => void

  constructor(collection: Collection, store: RecordStore<R>, buffer: InsertBuffer, onWrite: () => void) {
    this.#collection = collection
    this.#store = store
    this.#buffer = buffer
    this.#onWrite = onWrite
  }

  get: RecordStore<R>['get'] = async (id) => this.#buffered(id) ?? this.#store.get(id)

  getMany: RecordStore<R>['getMany'] = async (ids) => {
    const buffered = [...new Set(ids)]
      .map((id) => this.#buffered(id))
      .filter((record) => record !== undefined)
    if (buffered.length === 0) return this.#store.getMany(ids)
    const others = ids.filter((id) => !this.#buffered(id))
    return others.length === 0 ? buffered : [...buffered, ...(await this.#store.getMany(others))]
  }

  getForUpdate: RecordStore<R>['getForUpdate'] = async (id, options) => {
    if (this.#buffered(id)) await this.#buffer.flush()
    return this.#store.getForUpdate(id, options)
  }

  getForShare: RecordStore<R>['getForShare'] = async (id) => {
    if (this.#buffered(id)) await this.#buffer.flush()
    return this.#store.getForShare(id)
  }

  find: RecordStore<R>['find'] = async (where) =>
    this.#findBuffered(where) ?? this.#read(where, () => this.#store.find(where))

  has: RecordStore<R>['has'] = async (where) => {
    const buffered = this.#findBuffered(where)
    return buffered ? buffered.length > 0 : this.#read(where, () => this.#store.has(where))
  }

  list: RecordStore<R>['list'] = async (query) => {
    const buffered = this.#findBuffered(query.where)
    // An order is no question of fewer than two.
    if (buffered && buffered.length < 2 && query.page === 1) return { rows: buffered, total: buffered.length }
    return this.#read(query.where, () => this.#store.list(query))
  }

  countByTerm: RecordStore<R>['countByTerm'] = (field, terms) =>
    this.#read([], () => this.#store.countByTerm(field, terms))
  aggregate: RecordStore<R>['aggregate'] = (query) =>
    this.#read(query.where, () => this.#store.aggregate(query))
  listGroups: RecordStore<R>['listGroups'] = (query) => this.#flushed(() => this.#store.listGroups(query))
  medianDuration: RecordStore<R>['medianDuration'] = (query) =>
    this.#read(query.where, () => this.#store.medianDuration(query))
  scan: RecordStore<R>['scan'] = (query) => this.#read([], () => this.#store.scan(query))

  insert: RecordStore<R>['insert'] = (record) => this.insertMany([record])

  insertMany: RecordStore<R>['insertMany'] = async (records) => {
    this.#onWrite()
    for (const record of records) this.#buffer.add(this.#collection, record)
  }

  update: RecordStore<R>['update'] = (record) => {
    this.#buffer.forgetFacets(this.#collection, record)
    return this.#write(() => this.#store.update(record))
  }
  softDelete: RecordStore<R>['softDelete'] = (id, at) => this.#write(() => this.#store.softDelete(id, at))
  hardDelete: RecordStore<R>['hardDelete'] = (id) => this.#write(() => this.#store.hardDelete(id))

  #buffered(id: string): R | undefined {
    return this.#buffer.get(this.#collection, id) as R | undefined
  }

  #findBuffered(where: readonly Condition<R>[]): readonly R[] | undefined {
    const [condition, ...others] = where
    if (!condition || others.length > 0 || !('hasTerm' in condition)) return undefined
    return this.#buffer.findByFacet(this.#collection, condition.hasTerm) as readonly R[] | undefined
  }

  #read<T>(where: readonly Condition<R>[], read: () => Promise<T>): Promise<T> {
    const isAffected = this.#buffer.has(this.#collection) || where.some(namesOtherRecords)
    return isAffected ? this.#flushed(read) : read()
  }

  #write<T>(write: () => Promise<T>): Promise<T> {
    this.#onWrite()
    return this.#flushed(write)
  }

  async #flushed<T>(call: () => Promise<T>): Promise<T> {
    await this.#buffer.flush()
    return call()
  }
}

function namesOtherRecords<R>(condition: Condition<R>): boolean {
  if ('anyOf' in condition) return condition.anyOf.some(namesOtherRecords)
  if ('allOf' in condition) return condition.allOf.some(namesOtherRecords)
  if ('not' in condition) return namesOtherRecords(condition.not)
  return 'whereRelated' in condition || 'notExists' in condition
}
