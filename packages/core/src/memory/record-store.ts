import type { Shape } from '../collections.ts'
import { conflict } from '../errors.ts'
import type { Condition, ListQuery, RecordBase, RecordStore } from '../ports.ts'
import { compare } from './compare.ts'
import type { Kept, Row, Table } from './table.ts'

export type AnyShape = Omit<Shape<RecordBase>, 'unique' | 'neverReused' | 'refersTo'> & {
  readonly unique: readonly string[]
  readonly neverReused: readonly string[]
  readonly refersTo: Readonly<Record<string, string>>
}

export interface Session {
  /** What takes each write back, in the order of the writes. */
  readonly undo: (() => void)[]
  readonly writable: boolean
}

export function recordStore(table: Table, shape: AnyShape, session: Session, tableOf: (name: string) => Table): RecordStore<Row> {
  const { rows, holders } = table

  function live(id: string): Kept | undefined {
    const kept = rows.get(id)
    return kept?.deletedAt === null ? kept : undefined
  }

  const get = async (id: string) => live(id)?.row

  async function held(id: string): Promise<Row | undefined> {
    mayWrite()
    return live(id)?.row
  }

  function matching(where: readonly Condition<Row>[]): Row[] {
    const found: Row[] = []
    for (const { row, deletedAt } of rows.values()) {
      if (deletedAt === null && where.every((condition) => matches(row, condition))) found.push(row)
    }
    return found
  }

  function mayWrite(): void {
    if (!session.writable) throw new Error('A read neither writes nor holds.')
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
    if (row[field] !== null && shape.unique.includes(field)) hold(field, row[field], undefined)
  }

  async function insert(row: Row): Promise<void> {
    mayWrite()
    if (rows.has(row.id)) throw new Error(`There is a record ${row.id} already.`)
    put(row, undefined)
  }

  return {
    get,
    getForUpdate: held,
    getForShare: held,
    async getMany(ids) {
      return [...new Set(ids)].flatMap((id) => live(id)?.row ?? [])
    },
    async find(where) {
      return matching(where).sort(inOrder({ order_by: 'created_at', order: 'asc' }))
    },
    async has(where) {
      return matching(where).length > 0
    },
    async list(query) {
      const found = matching(query.where).sort(inOrder(query))
      const start = (query.page - 1) * query.per_page
      return { rows: found.slice(start, start + query.per_page), total: found.length }
    },
    insert,
    async insertMany(records) {
      for (const record of records) await insert(record)
    },
    async update(row) {
      mayWrite()
      const before = live(row.id)?.row
      if (before) put(row, before)
    },
    async softDelete(id, at) {
      mayWrite()
      const kept = live(id)
      if (!kept) return false
      for (const field of shape.unique) release(field, kept.row)
      keep({ row: kept.row, deletedAt: at })
      return true
    },
  }
}

function matches(row: Row, condition: Condition<Row>): boolean {
  const value = row[condition.field] as string | number | boolean | null
  if ('is' in condition) return value === condition.is
  if (value === null) return false
  if ('oneOf' in condition) return condition.oneOf.includes(String(value))
  return 'from' in condition ? String(value) >= condition.from : String(value) <= condition.to
}

function inOrder({ order_by, order }: Pick<ListQuery<Row>, 'order_by' | 'order'>): (a: Row, b: Row) => number {
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => sign * (compare(a[order_by], b[order_by]) || compare(a.id, b.id))
}

// A round trip through JSON, because that is what a database makes of a record.
function copyOf(row: Row): Row {
  return JSON.parse(JSON.stringify(row))
}
