import type { AnyShape, ColumnKind, Condition, ListQuery, RecordBase, SpanQuery, SummaryQuery } from '@sales-crm/core/ports'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Dialect, RowVersion, Unplanned } from './dialect.ts'
import { nearWalk } from './near-walk.ts'
import { inOrder, type Query, slice } from './pages.ts'
import { lacking, leadingTo } from './related.ts'
import { arg, type Statement, statement } from './statement.ts'
import { medianSpanOf, summaryKey, summaryOf } from './summaries.ts'
import { asksWords } from './words.ts'

/** The columns of one table, and whether its rows belong to workspaces. */
export interface TableShape {
  readonly name: string
  readonly ofWorkspaces: boolean
  /** Every field of a record, in the order it is answered. */
  readonly kinds: ReadonlyMap<string, ColumnKind>
  /** Columns that hold an id of the same workspace, with the table they point to. */
  readonly refersTo: AnyShape['refersTo']
}

/** A record as a store that knows its columns by name alone sees it. */
export type Stored = RecordBase & Readonly<Record<string, unknown>>
export type Where = readonly Condition<Stored>[]
type Asked = Pick<ListQuery<Stored>, 'where' | 'order_by' | 'order' | 'unread'>
export type Lock = 'update' | 'share'

/** The statements of one table, each compiled when it is first asked for. */
export function recordStatements(table: TableShape, dialect: Dialect) {
  const { name, ofWorkspaces, kinds } = table
  const { compiler: db } = dialect
  const columns = [...kinds.keys()]
  const once = new Map<string, Statement>()

  function cached(key: string, make: () => Statement): Statement {
    let found = once.get(key)
    if (!found) {
      found = make()
      once.set(key, found)
    }
    return found
  }

  function shown({ unread = [] }: Pick<Asked, 'unread'>): string[] {
    return unread.length === 0 ? columns : columns.filter((column) => !unread.includes(column))
  }

  function inWorkspace<Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q): Q {
    return ofWorkspaces ? query.where('workspace_id', '=', arg('workspace_id')) : query
  }

  function live(source: unknown = name): Query {
    return inWorkspace(db.selectFrom(source as string) as unknown as Query).where('deleted_at', 'is', null)
  }

  function locked(query: Query, lock: Lock): Query {
    return lock === 'update' ? query.forNoKeyUpdate() : query.forShare()
  }

  function keptTotal(): Query {
    const kept = (db.selectFrom('live_rows') as unknown as Query).where('live_rows.workspace_id', '=', arg('workspace_id'))
    return kept.where('table_name', '=', sql.lit(name)).select(sql`coalesce(sum(total), 0)`.as('total'))
  }

  function filtered(where: Where): Query {
    const words = where.find(asksWords)
    const source = words && dialect.words.answering(name, words.field).as(name)
    return where.reduce((query, condition, index) => {
      if (asksWords(condition)) return query
      const { field } = condition
      const value = arg(`where_${index}`)
      if ('leadsTo' in condition) return query.where(leadingTo(name, condition, value))
      if ('lacks' in condition) return query.where(lacking(name, condition.lacks, value, dialect))
      if ('oneOf' in condition) return query.where(dialect.isAmong(field, kinds.get(field)!, sql`${value}`))
      if ('from' in condition) return query.where(field, '>=', value)
      if ('to' in condition) return query.where(field, '<=', value)
      return condition.is === null ? query.where(field, 'is', null) : query.where(field, '=', value)
    }, live(source))
  }

  function raw(query: RawBuilder<unknown>): Compilable {
    return { compile: () => query.compile(db) }
  }

  /** For one list of values, and for as many as are asked for. */
  function repeated(key: string, make: (count: number) => Compilable): Statement {
    const times = (count: number) => cached(`${key} ${count}`, () => statement(make(count)))
    return cached(key, () => statement(make(1), { times }))
  }

  return {
    byId: (lock: Lock | 'none') =>
      cached(`byId ${lock}`, () => {
        const query = live().where('id', '=', arg('id')).select(columns)
        if (lock === 'none' || !dialect.locksRows) return statement(query, { looksUp: true })
        return statement(locked(query, lock))
      }),

    /** Holds the row, and fails where it does not have the `version` that was read. */
    mustStand: ({ mustStand }: RowVersion) => repeated('must stand', (count) => raw(mustStand(name, count))),

    /** As `byId`, of the id alone. */
    lock: () => cached('lock', () => statement(locked(live().where('id', '=', arg('id')).select('id'), 'update'))),

    byIds: () =>
      cached('byIds', () => {
        const among = dialect.isAmong('id', 'uuid', sql`${arg('ids')}`)
        return statement(live().where(among).select(columns), { looksUp: true })
      }),

    find: (where: Where) => cached(`find ${keyOf(where)}`, () => statement(filtered(where).select(columns))),

    has: (where: Where) =>
      cached(`has ${keyOf(where)}`, () => {
        const looksUp = where.every((condition) => 'is' in condition)
        return statement(filtered(where).select(sql.lit(1).as('one')).limit(sql.lit(1)), { ...planned(where), looksUp })
      }),

    count: (where: Where) =>
      cached(`count ${keyOf(where)}`, () => statement(filtered(where).select(sql<number>`count(*)`.as('total')), planned(where))),

    /** For each question to the words index, in order, the `total` of rows. */
    totals: (field: string) => cached(`totals ${field}`, () => statement(raw(dialect.words.totals(name, field)))),

    page: ({ where, ...by }: Asked) =>
      cached(`page ${pageKey(by)} ${keyOf(where)}`, () => statement(slice(inOrder(filtered(where), by)).select(shown(by)), planned(where))),

    /** The `total` of live rows as the database keeps it. */
    keptTotal: () => cached('kept total', () => statement(keptTotal())),

    /** As `page` without conditions, with the `total` of live rows in the first row. */
    totalledPage: (by: Omit<Asked, 'where'>) =>
      cached(`totalled ${pageKey(by)}`, () => {
        const page = slice(inOrder(live(), by)).select([...shown(by), sql`(${keptTotal()})`.as('total')])
        return statement(page, { isTotalled: true })
      }),

    /**
     * As `page` without conditions, where nothing is to be read of the rows it skips but the index. Planned with its numbers: without
     * them a planner takes the page for a tenth of all rows, and reads the whole table for it.
     */
    farPage: (by: Omit<Asked, 'where'>) =>
      cached(`far ${pageKey(by)}`, () => {
        const rows = inWorkspace(db.selectFrom(name) as unknown as Query).where('id', 'in', slice(inOrder(live(), by)).select('id'))
        return statement(inOrder(rows, by).select(shown(by)), { planned: 'anew' })
      }),

    /** As `page`, but what matches is found first and put in order then. */
    sortedPage: ({ where, ...by }: Asked, { unindexed, rowKey }: Unplanned) =>
      cached(`sorted ${pageKey(by)} ${keyOf(where)}`, () => {
        const keys = slice(inOrder(filtered(where), by, unindexed)).select(rowKey)
        const rows = (db.selectFrom(name) as unknown as Query).where(rowKey, 'in', keys)
        return statement(inOrder(rows, by).select(shown(by)))
      }),

    /** The `total` of what words alone ask for, and the `keys` of a page of it by creation, or null where those are not near. */
    near: (order: Asked['order'], once: boolean, unplanned: Unplanned) =>
      cached(`near ${order} ${once}`, () => statement(raw(nearWalk({ table: name, live, order, once }, unplanned, dialect)))),

    /** Of rows by the `keys` that `near` gave. */
    byKeys: (by: Omit<Asked, 'where'>, { rowKey }: Unplanned) =>
      cached(`by keys ${pageKey(by)}`, () => {
        const rows = (db.selectFrom(name) as unknown as Query).where(dialect.isAmong(rowKey, 'integer', sql`${arg('keys')}`))
        return statement(inOrder(rows, by).select(shown(by)))
      }),

    /** As `page`, with the `total` of all that match in the first row: to find them once is half the work of finding them twice. */
    countedPage: ({ where, ...by }: Asked) =>
      cached(`counted ${pageKey(by)} ${keyOf(where)}`, () => {
        const keys = slice(inOrder(db.selectFrom('found') as unknown as Query, by)).select('id')
        const total = db.selectFrom('found').select(sql`count(*)`.as('total'))
        const sought = () => filtered(where).select([...new Set(['id', by.order_by])])
        const rows = db.with((cte) => cte('found').materialized(), sought).selectFrom(name) as unknown as Query
        const page = inOrder(inWorkspace(rows).where('id', 'in', keys), by).select([...shown(by), total.as('total')])
        return statement(page, { isTotalled: true })
      }),

    summary: (query: SummaryQuery<Stored>) =>
      cached(`summary ${summaryKey(query)} ${keyOf(query.where)}`, () =>
        statement(summaryOf(filtered(query.where), query, dialect), planned(query.where)),
      ),

    medianSpan: ({ where, from, to }: SpanQuery<Stored>) =>
      cached(`median ${from} ${to} ${keyOf(where)}`, () => statement(medianSpanOf(filtered(where), from, to, dialect), planned(where))),

    wordsFrom: ({ wordsFrom }: Unplanned) => cached('words from', () => statement(raw(wordsFrom(name)))),

    size: ({ sizeOf }: Unplanned) => cached('size', () => statement(raw(sizeOf(name)))),

    insert: () =>
      repeated('insert', (count) => {
        const stored = ofWorkspaces ? ['workspace_id', ...columns] : columns
        const row = () => Object.fromEntries(stored.map((column) => [column, arg(column)]))
        return db.insertInto(name).values(Array.from({ length: count }, row))
      }),

    /** Of records bound as `rows`, a JSON array. */
    insertMany: () =>
      cached('insertMany', () => dialect.bulkInsert(name, ofWorkspaces ? new Map([['workspace_id', 'uuid'], ...kinds]) : kinds)),

    /** @param changed the columns to write, every one but the id where it is left out. */
    update: (changed = columns.filter((column) => column !== 'id')) =>
      cached(`update ${changed.join(' ')}`, () => {
        const query = db.updateTable(name).set(Object.fromEntries(changed.map((column) => [column, arg(column)])))
        return statement(inWorkspace(query).where('id', '=', arg('id')).where('deleted_at', 'is', null))
      }),

    erase: () => cached('erase', () => statement(inWorkspace(db.deleteFrom(name)).where('id', '=', arg('id')))),

    softDelete: () =>
      cached('softDelete', () => {
        const query = db.updateTable(name).set({ deleted_at: arg('at') })
        return statement(inWorkspace(query).where('id', '=', arg('id')).where('deleted_at', 'is', null))
      }),
  }
}

export type RecordStatements = ReturnType<typeof recordStatements>

/**
 * Of a filter and an order, which to go by depends on how many rows the filter leaves. Of words nobody can tell, so that they
 * come first whatever they are.
 */
function planned(where: Where): Pick<Statement, 'planned'> {
  return { planned: where.length > 0 && !where.some(asksWords) ? 'anew' : 'once' }
}

function pageKey({ order_by, order, unread = [] }: Omit<Asked, 'where'>): string {
  return `${order_by} ${order} -${unread.join('-')}`
}

/** Conditions that differ only in their values share a statement. */
function keyOf(where: Where): string {
  return where.map((condition) => `${condition.field}:${kindOf(condition)}`).join(' ')
}

function kindOf(condition: Condition<Stored>): string {
  if (asksWords(condition)) return 'words'
  if ('leadsTo' in condition) return `leads ${condition.leadsTo.collection} ${condition.leadsTo.field}`
  if ('lacks' in condition) return `lacks ${condition.lacks.collection} ${condition.lacks.by} ${condition.lacks.field}`
  if ('oneOf' in condition) return 'oneOf'
  if ('from' in condition) return 'from'
  if ('to' in condition) return 'to'
  return condition.is === null ? 'isNull' : 'is'
}
