import {
  type BaseStore,
  compare,
  createMatcher,
  type FindOptions,
  type OwnCondition,
} from '../base-storage/index.ts'
import { conflict } from '../kernel/errors.ts'
import type { ScannedRecord, ScanQuery } from '../kernel/record-queries.ts'
import type { AnyShape } from '../kernel/shape.ts'
import type { Row, StoredRow, Table } from './table.ts'

/** Undoes each write of a transaction, in the order of the writes. */
export type Undo = (() => void)[]

/** The rows of one table in a transaction. Each write adds its reverse to `undo`. */
export class TableStore implements BaseStore<Row> {
  readonly #table: Table
  readonly #shape: AnyShape
  readonly #undo: Undo
  readonly #tableOf: (collection: string) => Table

  constructor(table: Table, shape: AnyShape, undo: Undo, tableOf: (collection: string) => Table) {
    this.#table = table
    this.#shape = shape
    this.#undo = undo
    this.#tableOf = tableOf
  }

  async get(id: string): Promise<Row | undefined> {
    return this.#findLive(id)
  }

  // Transactions run one after another: every record is locked.
  async getForUpdate(id: string): Promise<Row | undefined> {
    return this.#findLive(id)
  }

  getForShare(id: string): Promise<Row | undefined> {
    return this.getForUpdate(id)
  }

  async find(
    where: readonly OwnCondition<Row>[],
    { includeDeleted = false }: FindOptions = {},
  ): Promise<Row[]> {
    const rows = [...this.#table.rows.values()]
    return rows
      .filter(({ deletedAt }) => deletedAt === null || includeDeleted)
      .map(({ row }) => row)
      .filter(createMatcher(where))
  }

  async scan({ state, after, limit }: ScanQuery): Promise<ScannedRecord<Row>[]> {
    return [...this.#table.rows.values()]
      .filter(
        ({ row, deletedAt }) =>
          (deletedAt === null) === (state === 'live') && (after === null || row.id > after),
      )
      .sort((a, b) => compare(a.row.id, b.row.id))
      .slice(0, limit)
      .map(({ row, deletedAt }) => ({ record: row, deleted_at: deletedAt }))
  }

  async insert(row: Row): Promise<void> {
    if (this.#table.rows.has(row.id)) throw new Error(`There is a record ${row.id} already.`)
    this.#write(row, undefined)
  }

  async update(row: Row): Promise<void> {
    const before = this.#findLive(row.id)
    if (before) this.#write(row, before)
  }

  async softDelete(id: string, at: string): Promise<boolean> {
    const row = this.#findLive(id)
    if (!row) return false
    for (const field of this.#shape.unique) this.#setHolder(field, row[field], undefined)
    this.#setRow({ row, deletedAt: at })
    return true
  }

  async hardDelete(id: string): Promise<void> {
    const { rows, holders } = this.#table
    const stored = rows.get(id)
    if (!stored) return
    for (const [field, holdersOfField] of holders)
      if (holdersOfField.get(stored.row[field]) === id) this.#setHolder(field, stored.row[field], undefined)
    rows.delete(id)
    this.#undo.push(() => rows.set(id, stored))
  }

  #findLive(id: string): Row | undefined {
    const stored = this.#table.rows.get(id)
    return stored?.deletedAt === null ? stored.row : undefined
  }

  /** @throws CrmError `conflict` for a unique value that another row holds */
  #write(row: Row, before: Row | undefined): void {
    this.#assertForeignKeys(row)
    const { holders } = this.#table
    for (const [field, holdersOfField] of holders) {
      const holder = row[field] === null ? undefined : holdersOfField.get(row[field])
      if (holder !== undefined && holder !== row.id) throw conflict(field)
    }
    for (const field of holders.keys()) {
      if (before && before[field] !== row[field]) this.#setHolder(field, before[field], undefined)
      this.#setHolder(field, row[field], row.id)
    }
    // A round trip through JSON, as in a database.
    this.#setRow({ row: JSON.parse(JSON.stringify(row)) as Row, deletedAt: null })
  }

  #assertForeignKeys(row: Row): void {
    for (const [field, collection] of Object.entries(this.#shape.foreignKeys)) {
      const target = row[field]
      if (typeof target === 'string' && !this.#tableOf(collection).rows.has(target))
        throw new Error(`${field} points out of its workspace.`)
    }
  }

  #setHolder(field: string, value: unknown, id: string | undefined): void {
    if (value === null) return
    const holders = this.#table.holders.get(field)!
    const before = holders.get(value)
    if (id === undefined) holders.delete(value)
    else holders.set(value, id)
    this.#undo.push(() => (before === undefined ? holders.delete(value) : holders.set(value, before)))
  }

  #setRow(stored: StoredRow): void {
    const { rows } = this.#table
    const { id } = stored.row
    const before = rows.get(id)
    rows.set(id, stored)
    this.#undo.push(() => (before === undefined ? rows.delete(id) : rows.set(id, before)))
  }
}
