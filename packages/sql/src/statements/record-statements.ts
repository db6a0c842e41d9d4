import type { AggregateQuery, DurationQuery, ListQuery } from '@sales-crm/core/ports'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Dialect, PlannerHints, RowVersion } from '../dialect.ts'
import { aggregateKey, aggregateQuery, medianDurationQuery } from './aggregates.ts'
import { applyConditions, conditionsKey, planFor } from './conditions.ts'
import { isTermCondition } from './search-terms.ts'
import { applySort, paginate, type SelectQuery } from './select-query.ts'
import { compileStatement, param, type Statement } from './statement.ts'
import type { Conditions, StoredRecord, TableShape } from './table-shape.ts'
import { tokenScan } from './token-scan.ts'

type PageQuery = Pick<ListQuery<StoredRecord>, 'where' | 'order_by' | 'order' | 'omit'>
export type RowLock = 'update' | 'share'

/** The statements of one table, compiled on first use. */
export class RecordStatements {
  readonly #name: string
  readonly #isWorkspaceScoped: boolean
  readonly #kinds: TableShape['kinds']
  readonly #columns: readonly string[]
  readonly #dialect: Dialect
  readonly #compiled = new Map<string, Statement>()

  constructor({ name, isWorkspaceScoped, kinds }: TableShape, dialect: Dialect) {
    this.#name = name
    this.#isWorkspaceScoped = isWorkspaceScoped
    this.#kinds = kinds
    this.#columns = [...kinds.keys()]
    this.#dialect = dialect
  }

  byId(lock: RowLock | 'none'): Statement {
    return this.#getOrCompile(`byId ${lock}`, () => {
      const query = this.#selectLive().where('id', '=', param('id')).select(this.#columns)
      if (lock === 'none' || !this.#dialect.hasRowLocks) return compileStatement(query, { isKeyLookup: true })
      return compileStatement(withLock(query, lock))
    })
  }

  /** Locks the row, and fails if its version is not the `version` that was read. */
  assertVersion({ assertVersion }: RowVersion): Statement {
    return this.#getOrCompile('assertVersion', () =>
      compileStatement(this.#toCompilable(assertVersion(this.#name))),
    )
  }

  /** Locks the row and selects the id only. */
  lock(): Statement {
    return this.#getOrCompile('lock', () =>
      compileStatement(withLock(this.#selectLive().where('id', '=', param('id')).select('id'), 'update')),
    )
  }

  byIds(): Statement {
    return this.#getOrCompile('byIds', () => {
      const isListed = this.#dialect.isInList('id', 'uuid', sql`${param('ids')}`)
      return compileStatement(this.#selectLive().where(isListed).select(this.#columns), { isKeyLookup: true })
    })
  }

  find(where: Conditions): Statement {
    return this.#getOrCompile(`find ${conditionsKey(where)}`, () =>
      compileStatement(this.#selectMatching(where).select(this.#columns)),
    )
  }

  has(where: Conditions): Statement {
    return this.#getOrCompile(`has ${conditionsKey(where)}`, () => {
      const isKeyLookup = where.every((condition) => 'is' in condition)
      return compileStatement(this.#selectMatching(where).select(sql.lit(1).as('one')).limit(sql.lit(1)), {
        ...planFor(where),
        isKeyLookup,
      })
    })
  }

  count(where: Conditions): Statement {
    return this.#getOrCompile(`count ${conditionsKey(where)}`, () =>
      compileStatement(this.#selectMatching(where).select(sql<number>`count(*)`.as('total')), planFor(where)),
    )
  }

  /** The `total` of rows for each index query, in order. */
  matchCounts(field: string): Statement {
    return this.#getOrCompile(`matchCounts ${field}`, () =>
      compileStatement(this.#toCompilable(this.#dialect.termIndex.countMatches(this.#name, field))),
    )
  }

  page({ where, ...sort }: PageQuery): Statement {
    return this.#getOrCompile(`page ${pageKey(sort)} ${conditionsKey(where)}`, () =>
      compileStatement(
        paginate(applySort(this.#selectMatching(where), sort)).select(this.#selectedColumns(sort)),
        planFor(where),
      ),
    )
  }

  /** The `total` of live rows from the counter table. */
  liveTotal(): Statement {
    return this.#getOrCompile('liveTotal', () => compileStatement(this.#selectLiveTotal()))
  }

  /** An unfiltered page with the `total` of live rows in each row. */
  pageWithTotal(sort: Omit<PageQuery, 'where'>): Statement {
    return this.#getOrCompile(`pageWithTotal ${pageKey(sort)}`, () => {
      const page = paginate(applySort(this.#selectLive(), sort)).select([
        ...this.#selectedColumns(sort),
        sql`(${this.#selectLiveTotal()})`.as('total'),
      ])
      return compileStatement(page)
    })
  }

  /**
   * An unfiltered page whose skipped rows are read from the index only. Planned with its values: a generic
   * plan assumes that the page is a tenth of the table and scans all of it.
   */
  deepPage(sort: Omit<PageQuery, 'where'>): Statement {
    return this.#getOrCompile(`deepPage ${pageKey(sort)}`, () => {
      const ids = paginate(applySort(this.#selectLive(), sort)).select('id')
      const rows = this.#scopeToWorkspace(this.#selectAll()).where('id', 'in', ids)
      return compileStatement(applySort(rows, sort).select(this.#selectedColumns(sort)), { plan: 'custom' })
    })
  }

  /** A page whose matches are collected first and then sorted. */
  filteredThenSortedPage({ where, ...sort }: PageQuery, { withoutIndex, rowKey }: PlannerHints): Statement {
    return this.#getOrCompile(`filteredThenSortedPage ${pageKey(sort)} ${conditionsKey(where)}`, () => {
      const keys = paginate(applySort(this.#selectMatching(where), sort, withoutIndex)).select(rowKey)
      const rows = this.#selectAll().where(rowKey, 'in', keys)
      return compileStatement(applySort(rows, sort).select(this.#selectedColumns(sort)))
    })
  }

  /**
   * The `total` of rows that match the term conditions alone, and the `keys` of a page by creation; `keys`
   * is null if the page is not close to the start.
   */
  tokenScan(order: PageQuery['order'], isMaterialized: boolean, hints: PlannerHints): Statement {
    return this.#getOrCompile(`tokenScan ${order} ${isMaterialized}`, () => {
      const scan = { table: this.#name, selectLive: () => this.#selectLive(), order, isMaterialized }
      return compileStatement(this.#toCompilable(tokenScan(scan, hints, this.#dialect)))
    })
  }

  /** Rows by the `keys` of `tokenScan`. */
  byRowKeys(sort: Omit<PageQuery, 'where'>, { rowKey }: PlannerHints): Statement {
    return this.#getOrCompile(`byRowKeys ${pageKey(sort)}`, () => {
      const isListed = this.#dialect.isInList(rowKey, 'integer', sql`${param('keys')}`)
      const rows = this.#selectAll().where(isListed)
      return compileStatement(applySort(rows, sort).select(this.#selectedColumns(sort)))
    })
  }

  /**
   * A page with the `total` of all matches in each row: finding them once is half the work of finding
   * them twice.
   */
  countedPage({ where, ...sort }: PageQuery): Statement {
    return this.#getOrCompile(`countedPage ${pageKey(sort)} ${conditionsKey(where)}`, () => {
      const { compiler: db } = this.#dialect
      const keys = paginate(applySort(db.selectFrom('found') as unknown as SelectQuery, sort)).select('id')
      const total = db.selectFrom('found').select(sql`count(*)`.as('total'))
      const selectMatches = () => this.#selectMatching(where).select([...new Set(['id', sort.order_by])])
      const rows = db
        .with((cte) => cte('found').materialized(), selectMatches)
        .selectFrom(this.#name) as unknown as SelectQuery
      const page = applySort(this.#scopeToWorkspace(rows).where('id', 'in', keys), sort)
      const columns = [...this.#selectedColumns(sort), total.as('total')]
      return compileStatement(page.select(columns))
    })
  }

  aggregate(query: AggregateQuery<StoredRecord>): Statement {
    const { where } = query
    return this.#getOrCompile(`aggregate ${aggregateKey(query)} ${conditionsKey(where)}`, () =>
      compileStatement(aggregateQuery(this.#selectMatching(where), query, this.#dialect), planFor(where)),
    )
  }

  medianDuration({ where, from, to }: DurationQuery<StoredRecord>): Statement {
    return this.#getOrCompile(`medianDuration ${from} ${to} ${conditionsKey(where)}`, () =>
      compileStatement(
        medianDurationQuery(this.#selectMatching(where), from, to, this.#dialect),
        planFor(where),
      ),
    )
  }

  prefixExpansion({ expandPrefix }: PlannerHints): Statement {
    return this.#getOrCompile('prefixExpansion', () =>
      compileStatement(this.#toCompilable(expandPrefix(this.#name))),
    )
  }

  estimatedRowCount({ estimateRowCount }: PlannerHints): Statement {
    return this.#getOrCompile('estimatedRowCount', () =>
      compileStatement(this.#toCompilable(estimateRowCount(this.#name))),
    )
  }

  insert(): Statement {
    return this.#getOrCompile('insert', () => {
      const columns = this.#isWorkspaceScoped ? ['workspace_id', ...this.#columns] : this.#columns
      const row = Object.fromEntries(columns.map((column) => [column, param(column)]))
      return compileStatement(this.#dialect.compiler.insertInto(this.#name).values(row))
    })
  }

  /** Inserts records bound as `rows`, a JSON array. */
  insertMany(): Statement {
    return this.#getOrCompile('insertMany', () => {
      const kinds = this.#isWorkspaceScoped
        ? new Map([['workspace_id', 'uuid'] as const, ...this.#kinds])
        : this.#kinds
      return this.#dialect.bulkInsert(this.#name, kinds)
    })
  }

  /** @param changedColumns the columns to write; by default all columns except the id */
  update(changedColumns = this.#columns.filter((column) => column !== 'id')): Statement {
    return this.#getOrCompile(`update ${changedColumns.join(' ')}`, () =>
      this.#updateLive(Object.fromEntries(changedColumns.map((column) => [column, param(column)]))),
    )
  }

  hardDelete(): Statement {
    return this.#getOrCompile('hardDelete', () => {
      const query = this.#dialect.compiler.deleteFrom(this.#name)
      return compileStatement(this.#scopeToWorkspace(query).where('id', '=', param('id')))
    })
  }

  softDelete(): Statement {
    return this.#getOrCompile('softDelete', () => this.#updateLive({ deleted_at: param('at') }))
  }

  #getOrCompile(key: string, compile: () => Statement): Statement {
    let statement = this.#compiled.get(key)
    if (!statement) {
      statement = compile()
      this.#compiled.set(key, statement)
    }
    return statement
  }

  #selectedColumns({ omit = [] }: Pick<PageQuery, 'omit'>): readonly string[] {
    return omit.length === 0 ? this.#columns : this.#columns.filter((column) => !omit.includes(column))
  }

  #selectAll(source: unknown = this.#name): SelectQuery {
    return this.#dialect.compiler.selectFrom(source as string) as unknown as SelectQuery
  }

  #selectLive(source?: unknown): SelectQuery {
    return this.#scopeToWorkspace(this.#selectAll(source)).where('deleted_at', 'is', null)
  }

  #scopeToWorkspace<Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q): Q {
    return this.#isWorkspaceScoped ? query.where('workspace_id', '=', param('workspace_id')) : query
  }

  #selectLiveTotal(): SelectQuery {
    return this.#selectAll('live_rows')
      .where('live_rows.workspace_id', '=', param('workspace_id'))
      .where('table_name', '=', sql.lit(this.#name))
      .select(sql`coalesce(sum(total), 0)`.as('total'))
  }

  #selectMatching(where: Conditions): SelectQuery {
    const { termIndex } = this.#dialect
    const termCondition = where.find(isTermCondition)
    const source = termCondition && termIndex.selectMatches(this.#name, termCondition.field).as(this.#name)
    const table = { name: this.#name, kinds: this.#kinds }
    return applyConditions(this.#selectLive(source), where, table, this.#dialect)
  }

  #updateLive(values: Readonly<Record<string, unknown>>): Statement {
    const query = this.#dialect.compiler.updateTable(this.#name).set(values)
    return compileStatement(
      this.#scopeToWorkspace(query).where('id', '=', param('id')).where('deleted_at', 'is', null),
    )
  }

  #toCompilable(query: RawBuilder<unknown>): Compilable {
    return { compile: () => query.compile(this.#dialect.compiler) }
  }
}

function withLock(query: SelectQuery, lock: RowLock): SelectQuery {
  return lock === 'update' ? query.forNoKeyUpdate() : query.forShare()
}

function pageKey({ order_by, order, omit = [] }: Omit<PageQuery, 'where'>): string {
  return `${order_by} ${order} -${omit.join('-')}`
}
