import type { ScanQuery } from '@sales-crm/core/ports'
import { type SqlBool, sql } from 'kysely'
import type { RowVersion } from '../dialect.ts'
import { conditionsKey, planFor } from './conditions.ts'
import type { SelectQuery } from './select-query.ts'
import { type CompilableQuery, type NamedValues, param, type Statement } from './statement.ts'
import type { TableQueries } from './table-queries.ts'
import type { Conditions } from './table-shape.ts'

export type RowLock = 'update' | 'share'

/** The statements that read records by id or conditions and change them, compiled on first use. */
export class RecordStatements {
  readonly #table: TableQueries

  constructor(table: TableQueries) {
    this.#table = table
  }

  byId(lock: RowLock | 'none'): Statement {
    const isKeyLookup = lock === 'none' || !this.#table.dialect.hasRowLocks
    return this.#table.getOrCompile(
      `byId ${lock}`,
      () => {
        const query = this.#table.selectLive().where('id', '=', param('id')).select(this.#table.columns)
        return isKeyLookup ? query : withLock(query, lock)
      },
      { isKeyLookup },
    )
  }

  /** Locks the row, and fails if its version is not the `version` that was read. */
  assertVersion({ assertVersion }: RowVersion): Statement {
    return this.#table.getOrCompile('assertVersion', () => assertVersion(this.#table.name))
  }

  /** Locks the row and selects the id only. */
  lock(): Statement {
    return this.#table.getOrCompile('lock', () =>
      withLock(this.#table.selectLive().where('id', '=', param('id')).select('id'), 'update'),
    )
  }

  byIds(): Statement {
    return this.#table.getOrCompile(
      'byIds',
      () => {
        const isListed = this.#table.dialect.isInList(sql.ref('id'), 'uuid', sql`${param('ids')}`)
        return this.#table.selectLive().where(isListed).select(this.#table.columns)
      },
      { isKeyLookup: true },
    )
  }

  find(where: Conditions): Statement {
    return this.#table.getOrCompile(`find ${conditionsKey(where)}`, () =>
      this.#table.selectMatching(where).select(this.#table.columns),
    )
  }

  has(where: Conditions): Statement {
    const isKeyLookup = where.every((condition) => 'is' in condition)
    return this.#table.getOrCompile(
      `has ${conditionsKey(where)}`,
      () => this.#table.selectMatching(where).select(sql.lit(1).as('one')).limit(sql.lit(1)),
      { ...planFor(where), isKeyLookup },
    )
  }

  /**
   * Reads the primary key, which has the rows in order. Without statistics, a planner would rather sort all rows of an
   * index on live rows: the condition is written so that none fits.
   */
  scan({ state, after }: Pick<ScanQuery, 'state' | 'after'>): Statement {
    const start = after === null ? 'the start' : 'an id'
    const isLive = sql.raw(String(state === 'live'))
    return this.#table.getOrCompile(`scan ${state} from ${start}`, () => {
      const rows = this.#table
        .scopeToWorkspace(this.#table.selectAll())
        .where(sql<SqlBool>`case when deleted_at is null then ${isLive} else not ${isLive} end`)
      return (after === null ? rows : rows.where('id', '>', param('after')))
        .orderBy('id')
        .limit(param<number>('limit'))
        .select([...this.#table.columns, 'deleted_at'])
    })
  }

  insert(): Statement {
    return this.#table.getOrCompile('insert', () => this.#insertRows([(column) => column]))
  }

  /** Inserts as many records as `count`, whose values are bound as `nameRowValues` names them. */
  insertValues(count: number): Statement {
    return this.#table.getOrCompile(`insertValues ${count}`, () =>
      this.#insertRows(Array.from({ length: count }, (_, row) => (column) => rowValueName(column, row))),
    )
  }

  /** Inserts records bound as `rows`, a JSON array. */
  insertMany(): Statement {
    const { bulkInsert } = this.#table.dialect
    return this.#table.getOrCompile('insertMany', () => {
      const kinds = this.#table.isWorkspaceScoped
        ? new Map([['workspace_id', 'uuid'] as const, ...this.#table.kinds])
        : this.#table.kinds
      return bulkInsert!(this.#table.name, kinds)
    })
  }

  /** @param changedColumns the columns to write; by default all columns except the id */
  update(changedColumns = this.#table.columns.filter((column) => column !== 'id')): Statement {
    return this.#table.getOrCompile(`update ${changedColumns.join(' ')}`, () =>
      this.#updateLive(Object.fromEntries(changedColumns.map((column) => [column, param(column)]))),
    )
  }

  hardDelete(): Statement {
    return this.#table.getOrCompile('hardDelete', () => {
      const query = this.#table.dialect.compiler.deleteFrom(this.#table.name)
      return this.#table.scopeToWorkspace(query).where('id', '=', param('id'))
    })
  }

  softDelete(): Statement {
    return this.#table.getOrCompile('softDelete', () => this.#updateLive({ deleted_at: param('at') }))
  }

  /** @param rows how the values of the columns of each row are named */
  #insertRows(rows: readonly ((column: string) => string)[]): CompilableQuery {
    const { isWorkspaceScoped, columns, dialect, name } = this.#table
    const scope = isWorkspaceScoped ? { workspace_id: param('workspace_id') } : {}
    const values = rows.map((nameValue) => ({
      ...scope,
      ...Object.fromEntries(columns.map((column) => [column, param(nameValue(column))])),
    }))
    return dialect.compiler.insertInto(name).values(values)
  }

  #updateLive(values: Readonly<Record<string, unknown>>): CompilableQuery {
    const query = this.#table.dialect.compiler.updateTable(this.#table.name).set(values)
    return this.#table.scopeToWorkspace(query).where('id', '=', param('id')).where('deleted_at', 'is', null)
  }
}

/** The values of many records, by the names that `insertValues` has for them. */
export function nameRowValues(rows: readonly NamedValues[]): NamedValues {
  const entries = rows.map((values, row) =>
    Object.entries(values).map(([column, value]) => [rowValueName(column, row), value] as const),
  )
  return Object.fromEntries(entries.flat())
}

function rowValueName(column: string, row: number): string {
  return `${column}_${row}`
}

function withLock(query: SelectQuery, lock: RowLock): SelectQuery {
  return lock === 'update' ? query.forNoKeyUpdate() : query.forShare()
}
