import type { Collection } from '../kernel/collections.ts'
import { conflict } from '../kernel/errors.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { AnyShape } from '../kernel/shape.ts'
import type { Condition, ListQuery } from '../ports/index.ts'
import { aggregateRows, computeMedianDuration } from './aggregates.ts'
import { compare } from './compare.ts'
import { compileCondition, type OwnCondition } from './conditions.ts'
import type { Row, StoredRow, Table } from './table.ts'

/** The state that the stores of one transaction share. */
export interface TransactionState {
  /** Undoes each write, in the order of the writes. */
  readonly undo: (() => void)[]
  /** All writes, so that `transact` or `savepoint` sees a failed one. */
  writes: Promise<unknown>[]
  readonly isWritable: boolean
  /** True if listeners are called after the commit. */
  isNotifyRequested: boolean
  isOver: boolean
}

export function assertOpen({ isOver }: TransactionState): void {
  if (isOver) throw new Error('The transaction is over.')
}

export function assertWritable(state: TransactionState): void {
  assertOpen(state)
  if (!state.isWritable) throw new Error('A read neither writes nor holds.')
}

/** Creates the store of one table in a transaction. */
export function recordStore(
  table: Table,
  shape: AnyShape,
  state: TransactionState,
  tableOf: (name: Collection) => Table,
): RecordStore<Row> {
  const rows = new TableRows(table, shape, state, tableOf)

  async function runRead<T>(work: () => T): Promise<T> {
    assertOpen(state)
    return work()
  }

  const lock = (id: string) => runWrite(state, () => rows.findLive(id)?.row)

  return {
    get: (id) => runRead(() => rows.findLive(id)?.row),
    getForUpdate: lock,
    getForShare: lock,
    getMany: (ids) => runRead(() => [...new Set(ids)].flatMap((id) => rows.findLive(id)?.row ?? [])),
    find: (where) =>
      runRead(() => rows.findMatching(where).sort(comparator({ order_by: 'created_at', order: 'asc' }))),
    has: (where) => runRead(() => rows.findMatching(where).length > 0),
    countByTerm: (field, terms) =>
      runRead(
        () => new Map(terms.map((term) => [term, rows.findMatching([{ field, hasTerm: term }]).length])),
      ),
    aggregate: (query) => runRead(() => aggregateRows(rows.findMatching(query.where), query)),
    medianDuration: ({ where, from, to }) =>
      runRead(() => computeMedianDuration(rows.findMatching(where), from, to)),
    list: (query) => runRead(() => rows.list(query)),
    insert: (row) => trackWrite(state, () => rows.insert(row)),
    insertMany: (records) =>
      trackWrite(state, () => {
        for (const row of records) rows.insert(row)
      }),
    update: (row) => trackWrite(state, () => rows.update(row)),
    softDelete: (id, at) => trackWrite(state, () => rows.softDelete(id, at)),
    hardDelete: (id) => trackWrite(state, () => rows.hardDelete(id)),
  }
}

async function runWrite<T>(state: TransactionState, work: () => T): Promise<T> {
  assertWritable(state)
  return work()
}

function trackWrite<T>(state: TransactionState, work: () => T): Promise<T> {
  const write = runWrite(state, work)
  if (state.isOver) return write
  state.writes.push(write)
  // `transact` awaits it, also if `work` does not.
  write.catch(() => undefined)
  return write
}

/** The rows of one table. Each write adds its reverse to the transaction's undo list. */
class TableRows {
  readonly #table: Table
  readonly #shape: AnyShape
  readonly #undo: (() => void)[]
  readonly #tableOf: (name: Collection) => Table

  constructor(
    table: Table,
    shape: AnyShape,
    { undo }: TransactionState,
    tableOf: (name: Collection) => Table,
  ) {
    this.#table = table
    this.#shape = shape
    this.#undo = undo
    this.#tableOf = tableOf
  }

  findLive(id: string): StoredRow | undefined {
    const stored = this.#table.rows.get(id)
    return stored?.deletedAt === null ? stored : undefined
  }

  findMatching(where: readonly Condition<Row>[]): Row[] {
    const matchingRows: Row[] = []
    const tests = where.map((condition) => compileCondition(condition, this.#tableOf, matches))
    for (const { row, deletedAt } of this.#table.rows.values()) {
      if (deletedAt === null && tests.every((test) => test(row))) matchingRows.push(row)
    }
    return matchingRows
  }

  list(query: ListQuery<Row>) {
    const matchingRows = this.findMatching(query.where).sort(comparator(query))
    const start = (query.page - 1) * query.per_page
    const page = matchingRows.slice(start, start + query.per_page)
    return { rows: page.map((row) => omitFields(row, query.omit)), total: matchingRows.length }
  }

  insert(row: Row): void {
    if (this.#table.rows.has(row.id)) throw new Error(`There is a record ${row.id} already.`)
    this.#write(row, undefined)
  }

  update(row: Row): void {
    const before = this.findLive(row.id)?.row
    if (before) this.#write(row, before)
  }

  softDelete(id: string, at: string): boolean {
    const stored = this.findLive(id)
    if (!stored) return false
    for (const field of this.#shape.unique) this.#releaseValue(field, stored.row)
    this.#setRow({ row: stored.row, deletedAt: at })
    return true
  }

  hardDelete(id: string): void {
    const { rows, holders } = this.#table
    const stored = rows.get(id)
    if (!stored) return
    for (const [field, holdersOfField] of holders)
      if (holdersOfField.get(stored.row[field]) === id) this.#setHolder(field, stored.row[field], undefined)
    rows.delete(id)
    this.#undo.push(() => rows.set(id, stored))
  }

  /** @throws CrmError `conflict` for a unique value that another row holds */
  #write(row: Row, before: Row | undefined): void {
    this.#assertForeignKeys(row)
    const { holders } = this.#table
    const uniqueFields = [...holders.keys()]
    for (const field of uniqueFields) {
      const holder = row[field] === null ? undefined : holders.get(field)!.get(row[field])
      if (holder !== undefined && holder !== row.id) throw conflict(field)
    }
    for (const field of uniqueFields) {
      if (before && before[field] !== row[field]) this.#releaseValue(field, before)
      if (row[field] !== null) this.#setHolder(field, row[field], row.id)
    }
    this.#setRow({ row: cloneRow(row), deletedAt: null })
  }

  #assertForeignKeys(row: Row): void {
    for (const [field, collection] of Object.entries(this.#shape.foreignKeys)) {
      const target = row[field]
      if (typeof target === 'string' && !this.#tableOf(collection).rows.has(target))
        throw new Error(`${field} points out of its workspace.`)
    }
  }

  #releaseValue(field: string, row: Row): void {
    if (row[field] !== null) this.#setHolder(field, row[field], undefined)
  }

  #setHolder(field: string, value: unknown, id: string | undefined): void {
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

function omitFields(row: Row, omit: readonly string[] = []): Row {
  return omit.length === 0
    ? row
    : (Object.fromEntries(Object.entries(row).filter(([field]) => !omit.includes(field))) as unknown as Row)
}

function matches(row: Row, condition: OwnCondition): boolean {
  const value = row[condition.field] as string | number | boolean | null
  if ('is' in condition) return value === condition.is
  if (value === null) return false
  if ('oneOf' in condition) return condition.oneOf.includes(String(value))
  if ('hasTerm' in condition) return splitTerms(value).includes(condition.hasTerm)
  if ('hasPrefix' in condition) return splitTerms(value).some((word) => word.startsWith(condition.hasPrefix))
  return 'from' in condition ? String(value) >= condition.from : String(value) <= condition.to
}

function splitTerms(value: unknown): string[] {
  return value === '' ? [] : String(value).split(' ')
}

function comparator({
  order_by,
  order,
}: Pick<ListQuery<Row>, 'order_by' | 'order'>): (a: Row, b: Row) => number {
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => sign * (compare(a[order_by], b[order_by]) || compare(a.id, b.id))
}

// A round trip through JSON, as in a database.
function cloneRow(row: Row): Row {
  return JSON.parse(JSON.stringify(row))
}
