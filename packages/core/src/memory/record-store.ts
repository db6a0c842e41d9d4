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

export function assertWritable(session: TransactionState): void {
  assertOpen(session)
  if (!session.isWritable) throw new Error('A read neither writes nor holds.')
}

export function recordStore(
  table: Table,
  shape: AnyShape,
  session: TransactionState,
  tableOf: (name: Collection) => Table,
): RecordStore<Row> {
  const { rows, holders } = table

  function findLive(id: string): StoredRow | undefined {
    const stored = rows.get(id)
    return stored?.deletedAt === null ? stored : undefined
  }

  async function runRead<T>(work: () => T): Promise<T> {
    assertOpen(session)
    return work()
  }

  async function runWrite<T>(work: () => T): Promise<T> {
    assertWritable(session)
    return work()
  }

  function trackWrite<T>(work: () => T): Promise<T> {
    const write = runWrite(work)
    if (session.isOver) return write
    session.writes.push(write)
    // `transact` awaits it, also if `work` does not.
    write.catch(() => undefined)
    return write
  }

  const lock = (id: string) => runWrite(() => findLive(id)?.row)

  function findMatching(where: readonly Condition<Row>[]): Row[] {
    const rowsFound: Row[] = []
    const tests = where.map((condition) => compileCondition(condition, tableOf, matches))
    for (const { row, deletedAt } of rows.values()) {
      if (deletedAt === null && tests.every((test) => test(row))) rowsFound.push(row)
    }
    return rowsFound
  }

  function setHolder(field: string, value: unknown, id: string | undefined): void {
    const holdersOf = holders.get(field)!
    const before = holdersOf.get(value)
    if (id === undefined) holdersOf.delete(value)
    else holdersOf.set(value, id)
    session.undo.push(() => (before === undefined ? holdersOf.delete(value) : holdersOf.set(value, before)))
  }

  function setRow(stored: StoredRow): void {
    const { id } = stored.row
    const before = rows.get(id)
    rows.set(id, stored)
    session.undo.push(() => (before === undefined ? rows.delete(id) : rows.set(id, before)))
  }

  function writeRow(row: Row, before: Row | undefined): void {
    for (const [field, collection] of Object.entries(shape.foreignKeys)) {
      const target = row[field]
      if (typeof target === 'string' && !tableOf(collection).rows.has(target))
        throw new Error(`${field} points out of its workspace.`)
    }
    const uniqueFields = [...holders.keys()]
    for (const field of uniqueFields) {
      const holder = row[field] === null ? undefined : holders.get(field)!.get(row[field])
      if (holder !== undefined && holder !== row.id) throw conflict(field)
    }
    for (const field of uniqueFields) {
      if (before && before[field] !== row[field]) release(field, before)
      if (row[field] !== null) setHolder(field, row[field], row.id)
    }
    setRow({ row: cloneRow(row), deletedAt: null })
  }

  function release(field: string, row: Row): void {
    if (row[field] !== null) setHolder(field, row[field], undefined)
  }

  function insert(row: Row): void {
    if (rows.has(row.id)) throw new Error(`There is a record ${row.id} already.`)
    writeRow(row, undefined)
  }

  function deleteRow(id: string): void {
    const stored = rows.get(id)
    if (!stored) return
    for (const [field, holdersOf] of holders)
      if (holdersOf.get(stored.row[field]) === id) setHolder(field, stored.row[field], undefined)
    rows.delete(id)
    session.undo.push(() => rows.set(id, stored))
  }

  const get = (id: string) => runRead(() => findLive(id)?.row)

  return {
    get,
    getForUpdate: lock,
    getForShare: lock,
    getMany: (ids) => runRead(() => [...new Set(ids)].flatMap((id) => findLive(id)?.row ?? [])),
    find: (where) =>
      runRead(() => findMatching(where).sort(comparator({ order_by: 'created_at', order: 'asc' }))),
    has: (where) => runRead(() => findMatching(where).length > 0),
    countByTerm: (field, words) =>
      runRead(() => new Map(words.map((word) => [word, findMatching([{ field, hasTerm: word }]).length]))),
    aggregate: (query) => runRead(() => aggregateRows(findMatching(query.where), query)),
    medianDuration: ({ where, from, to }) =>
      runRead(() => computeMedianDuration(findMatching(where), from, to)),
    list: (query) =>
      runRead(() => {
        const rowsFound = findMatching(query.where).sort(comparator(query))
        const start = (query.page - 1) * query.per_page
        const page = rowsFound.slice(start, start + query.per_page)
        return { rows: page.map((row) => omitFields(row, query.omit)), total: rowsFound.length }
      }),
    insert: (row) => trackWrite(() => insert(row)),
    insertMany: (records) => trackWrite(() => records.forEach(insert)),
    update: (row) =>
      trackWrite(() => {
        const before = findLive(row.id)?.row
        if (before) writeRow(row, before)
      }),
    softDelete: (id, at) =>
      trackWrite(() => {
        const stored = findLive(id)
        if (!stored) return false
        for (const field of shape.unique) release(field, stored.row)
        setRow({ row: stored.row, deletedAt: at })
        return true
      }),
    hardDelete: (id) => trackWrite(() => deleteRow(id)),
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
