import type { ColumnKind, Condition, ListQuery, RecordBase } from '@sales-crm/core/ports'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Dialect, Tables } from './dialect.ts'
import { arg, type Statement, statement } from './statement.ts'

/** The columns of one table, and whether its rows belong to workspaces. */
export interface TableShape {
  readonly name: string
  readonly ofWorkspaces: boolean
  /** Every field of a record, in the order it is answered. */
  readonly kinds: ReadonlyMap<string, ColumnKind>
}

/** A record as a store that knows its columns by name alone sees it. */
export type Stored = RecordBase & Readonly<Record<string, unknown>>
export type Where = readonly Condition<Stored>[]
type Query = SelectQueryBuilder<Tables, string, Record<string, unknown>>
export type Lock = 'none' | 'update' | 'share'

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

  function inWorkspace<Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q): Q {
    return ofWorkspaces ? query.where('workspace_id', '=', arg('workspace_id')) : query
  }

  function live(): Query {
    return inWorkspace(db.selectFrom(name) as unknown as Query).where('deleted_at', 'is', null)
  }

  function filtered(where: Where): Query {
    return where.reduce((query, condition, index) => {
      const { field } = condition
      const value = arg(`where_${index}`)
      if ('oneOf' in condition) return query.where(dialect.isAmong(field, kinds.get(field)!, sql`${value}`))
      if ('from' in condition) return query.where(field, '>=', value)
      if ('to' in condition) return query.where(field, '<=', value)
      return condition.is === null ? query.where(field, 'is', null) : query.where(field, '=', value)
    }, live())
  }

  return {
    byId: (lock: Lock) =>
      cached(`byId ${lock}`, () => {
        const query = live().where('id', '=', arg('id')).select(columns)
        if (lock === 'none' || !dialect.locksRows) return statement(query)
        return statement(lock === 'update' ? query.forNoKeyUpdate() : query.forShare())
      }),

    byIds: () =>
      cached('byIds', () =>
        statement(
          live()
            .where(dialect.isAmong('id', 'uuid', sql`${arg('ids')}`))
            .select(columns),
        ),
      ),

    find: (where: Where) => cached(`find ${keyOf(where)}`, () => statement(filtered(where).select(columns))),

    has: (where: Where) => cached(`has ${keyOf(where)}`, () => statement(filtered(where).select(sql.lit(1).as('one')).limit(sql.lit(1)))),

    count: (where: Where) => cached(`count ${keyOf(where)}`, () => statement(filtered(where).select(sql<number>`count(*)`.as('total')))),

    page: ({ where, order_by, order }: Pick<ListQuery<Stored>, 'where' | 'order_by' | 'order'>) =>
      cached(`page ${order_by} ${order} ${keyOf(where)}`, () =>
        statement(
          filtered(where)
            .select(columns)
            .orderBy(order_by, (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast()))
            .orderBy('id', order)
            .limit(arg<number>('limit'))
            .offset(arg<number>('offset')),
        ),
      ),

    insert: () =>
      cached('insert', () => {
        const stored = ofWorkspaces ? ['workspace_id', ...columns] : columns
        return statement(db.insertInto(name).values(Object.fromEntries(stored.map((column) => [column, arg(column)]))))
      }),

    /** @param changed the columns to write, every one but the id where it is left out. */
    update: (changed = columns.filter((column) => column !== 'id')) =>
      cached(`update ${changed.join(' ')}`, () => {
        const query = db.updateTable(name).set(Object.fromEntries(changed.map((column) => [column, arg(column)])))
        return statement(inWorkspace(query).where('id', '=', arg('id')).where('deleted_at', 'is', null))
      }),

    softDelete: () =>
      cached('softDelete', () => {
        const query = db.updateTable(name).set({ deleted_at: arg('at') })
        return statement(inWorkspace(query).where('id', '=', arg('id')).where('deleted_at', 'is', null))
      }),
  }
}

export type RecordStatements = ReturnType<typeof recordStatements>

/** Conditions that differ only in their values share a statement. */
function keyOf(where: Where): string {
  return where.map((condition) => `${condition.field}:${kindOf(condition)}`).join(' ')
}

function kindOf(condition: Condition<Stored>): string {
  if ('oneOf' in condition) return 'oneOf'
  if ('from' in condition) return 'from'
  if ('to' in condition) return 'to'
  return condition.is === null ? 'isNull' : 'is'
}
