import type { AnyShape, Collection } from '../collections.ts'
import { conflict } from '../errors.ts'
import type { Condition, ListQuery, RecordStore } from '../ports.ts'
import { compare } from './compare.ts'
import { type OwnCondition, testOf } from './related.ts'
import { medianSpanOf, summaryOf } from './summaries.ts'
import type { Kept, Row, Table } from './table.ts'

/** What the stores of one transaction share. */
export interface Session {
  /** What takes each write back, in the order of the writes. */
  readonly undo: (() => void)[]
  /** Every write, so that `transact` or `attempt` hears of one that fails. */
  writes: Promise<unknown>[]
  readonly writable: boolean
  /** Whether those who listen are called once it is committed. */
  woken: boolean
  over: boolean
}

export function mustLast({ over }: Session): void {
  if (over) throw new Error('The transaction is over.')
}

export function mayWrite(session: Session): void {
  mustLast(session)
  if (!session.writable) throw new Error('A read neither writes nor holds.')
}

export function recordStore(table: Table, shape: AnyShape, session: Session, tableOf: (name: Collection) => Table): RecordStore<Row> {
  const { rows, holders } = table

  function live(id: string): Kept | undefined {
    const kept = rows.get(id)
    return kept?.deletedAt === null ? kept : undefined
  }

  async function reading<T>(look: () => T): Promise<T> {
    mustLast(session)
    return look()
  }

  async function attempted<T>(change: () => T): Promise<T> {
    mayWrite(session)
    return change()
  }

  function writing<T>(change: () => T): Promise<T> {
    const write = attempted(change)
    if (session.over) return write
    session.writes.push(write)
    // Where nobody waits for it, `transact` still does.
    write.catch(() => undefined)
    return write
  }

  const held = (id: string) => attempted(() => live(id)?.row)

  function matching(where: readonly Condition<Row>[]): Row[] {
    const found: Row[] = []
    const tests = where.map((condition) => testOf(condition, tableOf, matches))
    for (const { row, deletedAt } of rows.values()) {
      if (deletedAt === null && tests.every((test) => test(row))) found.push(row)
    }
    return found
  }

  function hold(field: string, value: unknown, id: string | undefined): void {
    const held = holders.get(field)!
    const before = held.get(value)
    if (id === undefined) held.delete(value)
    else held.set(value, id)
    session.undo.push(() => (before === undefined ? held.delete(value) : held.set(value, before)))
  }

  function keep(kept: Kept): void {
    const { id } = kept.row
    const before = rows.get(id)
    rows.set(id, kept)
    session.undo.push(() => (before === undefined ? rows.delete(id) : rows.set(id, before)))
  }

  function put(row: Row, before: Row | undefined): void {
    for (const [field, other] of Object.entries(shape.refersTo)) {
      const target = row[field]
      if (typeof target === 'string' && !tableOf(other).rows.has(target)) throw new Error(`${field} points out of its workspace.`)
    }
    const distinct = [...holders.keys()]
    for (const field of distinct) {
      const holder = row[field] === null ? undefined : holders.get(field)!.get(row[field])
      if (holder !== undefined && holder !== row.id) throw conflict(field)
    }
    for (const field of distinct) {
      if (before && before[field] !== row[field]) release(field, before)
      if (row[field] !== null) hold(field, row[field], row.id)
    }
    keep({ row: copyOf(row), deletedAt: null })
  }

  function release(field: string, row: Row): void {
    if (row[field] !== null) hold(field, row[field], undefined)
  }

  function insert(row: Row): void {
    if (rows.has(row.id)) throw new Error(`There is a record ${row.id} already.`)
    put(row, undefined)
  }

  function erase(id: string): void {
    const kept = rows.get(id)
    if (!kept) return
    for (const [field, held] of holders) if (held.get(kept.row[field]) === id) hold(field, kept.row[field], undefined)
    rows.delete(id)
    session.undo.push(() => rows.set(id, kept))
  }

  const get = (id: string) => reading(() => live(id)?.row)

  return {
    get,
    getWithLinks: get,
    getForUpdate: held,
    getToChange: held,
    getForShare: held,
    getMany: (ids) => reading(() => [...new Set(ids)].flatMap((id) => live(id)?.row ?? [])),
    find: (where) => reading(() => matching(where).sort(inOrder({ order_by: 'created_at', order: 'asc' }))),
    has: (where) => reading(() => matching(where).length > 0),
    tally: (field, words) => reading(() => new Map(words.map((word) => [word, matching([{ field, holds: word }]).length]))),
    summarize: (query) => reading(() => summaryOf(matching(query.where), query)),
    medianSpan: ({ where, from, to }) => reading(() => medianSpanOf(matching(where), from, to)),
    list: (query) =>
      reading(() => {
        const found = matching(query.where).sort(inOrder(query))
        const start = (query.page - 1) * query.per_page
        const page = found.slice(start, start + query.per_page)
        return { rows: page.map((row) => without(row, query.unread)), total: found.length }
      }),
    insert: (row) => writing(() => insert(row)),
    insertMany: (records) => writing(() => records.forEach(insert)),
    update: (row) =>
      writing(() => {
        const before = live(row.id)?.row
        if (before) put(row, before)
      }),
    softDelete: (id, at) =>
      writing(() => {
        const kept = live(id)
        if (!kept) return false
        for (const field of shape.unique) release(field, kept.row)
        keep({ row: kept.row, deletedAt: at })
        return true
      }),
    erase: (id) => writing(() => erase(id)),
  }
}

function without(row: Row, unread: readonly string[] = []): Row {
  return unread.length === 0
    ? row
    : (Object.fromEntries(Object.entries(row).filter(([field]) => !unread.includes(field))) as unknown as Row)
}

function matches(row: Row, condition: OwnCondition): boolean {
  const value = row[condition.field] as string | number | boolean | null
  if ('is' in condition) return value === condition.is
  if (value === null) return false
  if ('oneOf' in condition) return condition.oneOf.includes(String(value))
  if ('holds' in condition) return wordsOf(value).includes(condition.holds)
  if ('begins' in condition) return wordsOf(value).some((word) => word.startsWith(condition.begins))
  return 'from' in condition ? String(value) >= condition.from : String(value) <= condition.to
}

function wordsOf(value: unknown): string[] {
  return value === '' ? [] : String(value).split(' ')
}

function inOrder({ order_by, order }: Pick<ListQuery<Row>, 'order_by' | 'order'>): (a: Row, b: Row) => number {
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => sign * (compare(a[order_by], b[order_by]) || compare(a.id, b.id))
}

// A round trip through JSON, because that is what a database makes of a record.
function copyOf(row: Row): Row {
  return JSON.parse(JSON.stringify(row))
}
