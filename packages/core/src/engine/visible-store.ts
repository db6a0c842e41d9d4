import type { RecordBase } from '../kernel/record.ts'
import type { Condition } from '../kernel/record-queries.ts'
import type { LockOptions, RecordStore } from '../kernel/record-store.ts'
import type { VisibleRecords } from './visible-records.ts'

type Query<R, Verb extends 'list' | 'aggregate' | 'listGroups' | 'medianDuration' | 'scan'> = Parameters<
  RecordStore<R & RecordBase>[Verb]
>[0]

/** What the reader of a store sees of it. */
export interface StoreReader {
  /** Undefined for everything. */
  loadRule(): Promise<VisibleRecords | undefined>
  /** True if the rule is worth waiting for: a list that is read beside it is likely to be read again. */
  isLikelyBounded(): boolean
}

/** The records of a collection that the reader sees. Others do not exist for it, but writes are not checked. */
export class VisibleStore<R extends RecordBase> implements RecordStore<R> {
  readonly #store: RecordStore<R>
  readonly #reader: StoreReader

  constructor(store: RecordStore<R>, reader: StoreReader) {
    this.#store = store
    this.#reader = reader
  }

  get(id: string) {
    return this.#filterOne(this.#store.get(id))
  }

  getForUpdate(id: string, options?: LockOptions) {
    return this.#filterOne(this.#store.getForUpdate(id, options))
  }

  getForShare(id: string) {
    return this.#filterOne(this.#store.getForShare(id))
  }

  getMany(ids: readonly string[]) {
    return this.#filter(this.#store.getMany(ids))
  }

  async find(where: readonly Condition<R>[]) {
    return this.#store.find(await this.#restrict(where))
  }

  async has(where: readonly Condition<R>[]) {
    return this.#store.has(await this.#restrict(where))
  }

  async list(query: Query<R, 'list'>) {
    if (!this.#reader.isLikelyBounded()) {
      const [page, rule] = await Promise.all([this.#store.list(query), this.#reader.loadRule()])
      if (!rule) return page
    }
    return this.#store.list({ ...query, where: await this.#restrict(query.where) })
  }

  async aggregate(query: Query<R, 'aggregate'>) {
    return this.#store.aggregate({ ...query, where: await this.#restrict(query.where) })
  }

  async listGroups(query: Query<R, 'listGroups'>) {
    return this.#store.listGroups({ ...query, where: await this.#restrict(query.where) })
  }

  async medianDuration(query: Query<R, 'medianDuration'>) {
    return this.#store.medianDuration({ ...query, where: await this.#restrict(query.where) })
  }

  async countByTerm(field: keyof R & string, terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rule = await this.#reader.loadRule()
    if (!rule) return this.#store.countByTerm(field, terms)
    const counts = [...new Set(terms)].map(async (hasTerm) => {
      const where = [{ field, hasTerm }, ...rule.where] as readonly Condition<R>[]
      const [total] = await this.#store.aggregate({ where, groupBy: [], order: 'count', limit: 1 })
      return [hasTerm, total?.count ?? 0] as const
    })
    return new Map(await Promise.all(counts))
  }

  async scan(query: Query<R, 'scan'>) {
    const rows = await this.#store.scan(query)
    const visible = new Set(await this.#filter(Promise.resolve(rows.map(({ record }) => record))))
    return rows.filter(({ record }) => visible.has(record))
  }

  insert(record: R) {
    return this.#store.insert(record)
  }

  insertMany(records: readonly R[]) {
    return this.#store.insertMany(records)
  }

  update(record: R) {
    return this.#store.update(record)
  }

  softDelete(id: string, at: string) {
    return this.#store.softDelete(id, at)
  }

  hardDelete(id: string) {
    return this.#store.hardDelete(id)
  }

  async #filterOne(read: Promise<R | undefined>): Promise<R | undefined> {
    const [record, rule] = await Promise.all([read, this.#reader.loadRule()])
    if (!record || !rule) return record
    return (await rule.filter([record as never])).length > 0 ? record : undefined
  }

  async #filter(read: Promise<readonly R[]>): Promise<readonly R[]> {
    const [records, rule] = await Promise.all([read, this.#reader.loadRule()])
    return records.length > 0 && rule ? ((await rule.filter(records as never)) as never) : records
  }

  async #restrict(where: readonly Condition<R>[]): Promise<readonly Condition<R>[]> {
    const rule = await this.#reader.loadRule()
    return rule ? [...where, ...(rule.where as readonly Condition<R>[])] : where
  }
}
