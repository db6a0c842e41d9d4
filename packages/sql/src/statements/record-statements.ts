import type { AggregateQuery, Condition, DurationQuery, ListQuery } from '@sales-crm/core/ports'
import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Dialect, PlannerHints, RowVersion } from '../dialect.ts'
import { aggregateKey, aggregateQuery, medianDurationQuery } from './aggregates.ts'
import { notExists, whereRelated } from './related-conditions.ts'
import { isTermCondition } from './search-terms.ts'
import { applySort, paginate, type SelectQuery } from './select-query.ts'
import { compileStatement, param, type Statement } from './statement.ts'
import type { Conditions, StoredRecord, TableShape } from './table-shape.ts'
import { tokenScan } from './token-scan.ts'

type PageQuery = Pick<ListQuery<StoredRecord>, 'where' | 'order_by' | 'order' | 'omit'>
export type RowLock = 'update' | 'share'

/** The statements of one table, compiled on first use. */
export function createRecordStatements(table: TableShape, dialect: Dialect) {
  const { name, isWorkspaceScoped, kinds } = table
  const { compiler: db } = dialect
  const columns = [...kinds.keys()]
  const statements = new Map<string, Statement>()

  function getOrCompile(key: string, compile: () => Statement): Statement {
    let compiled = statements.get(key)
    if (!compiled) {
      compiled = compile()
      statements.set(key, compiled)
    }
    return compiled
  }

  function selectedColumns({ omit = [] }: Pick<PageQuery, 'omit'>): string[] {
    return omit.length === 0 ? columns : columns.filter((column) => !omit.includes(column))
  }

  function scopeToWorkspace<Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q): Q {
    return isWorkspaceScoped ? query.where('workspace_id', '=', param('workspace_id')) : query
  }

  function selectLive(source: unknown = name): SelectQuery {
    return scopeToWorkspace(db.selectFrom(source as string) as unknown as SelectQuery).where(
      'deleted_at',
      'is',
      null,
    )
  }

  function withLock(query: SelectQuery, lock: RowLock): SelectQuery {
    return lock === 'update' ? query.forNoKeyUpdate() : query.forShare()
  }

  function selectLiveTotal(): SelectQuery {
    const liveRows = (db.selectFrom('live_rows') as unknown as SelectQuery).where(
      'live_rows.workspace_id',
      '=',
      param('workspace_id'),
    )
    return liveRows.where('table_name', '=', sql.lit(name)).select(sql`coalesce(sum(total), 0)`.as('total'))
  }

  function selectMatching(where: Conditions): SelectQuery {
    const termCondition = where.find(isTermCondition)
    const source = termCondition && dialect.termIndex.selectMatches(name, termCondition.field).as(name)
    return where.reduce((query, condition, index) => {
      if (isTermCondition(condition)) return query
      const { field } = condition
      const value = param(`where_${index}`)
      if ('whereRelated' in condition) return query.where(whereRelated(name, condition, value))
      if ('notExists' in condition) return query.where(notExists(name, condition.notExists, value, dialect))
      if ('oneOf' in condition) return query.where(dialect.isInList(field, kinds.get(field)!, sql`${value}`))
      if ('from' in condition) return query.where(field, '>=', value)
      if ('to' in condition) return query.where(field, '<=', value)
      return condition.is === null ? query.where(field, 'is', null) : query.where(field, '=', value)
    }, selectLive(source))
  }

  function toCompilable(query: RawBuilder<unknown>): Compilable {
    return { compile: () => query.compile(db) }
  }

  /** Variants for one list of values and for several. */
  function getOrCompileRepeatable(key: string, build: (count: number) => Compilable): Statement {
    const repeat = (count: number) => getOrCompile(`${key} ${count}`, () => compileStatement(build(count)))
    return getOrCompile(key, () => compileStatement(build(1), { repeat }))
  }

  return {
    byId: (lock: RowLock | 'none') =>
      getOrCompile(`byId ${lock}`, () => {
        const query = selectLive().where('id', '=', param('id')).select(columns)
        if (lock === 'none' || !dialect.hasRowLocks) return compileStatement(query, { isKeyLookup: true })
        return compileStatement(withLock(query, lock))
      }),

    /** Locks the row, and fails if its version is not the `version` that was read. */
    assertVersion: ({ assertVersion: mustStand }: RowVersion) =>
      getOrCompileRepeatable('must stand', (count) => toCompilable(mustStand(name, count))),

    /** As `byId`, with the id only. */
    lock: () =>
      getOrCompile('lock', () =>
        compileStatement(withLock(selectLive().where('id', '=', param('id')).select('id'), 'update')),
      ),

    byIds: () =>
      getOrCompile('byIds', () => {
        const isListed = dialect.isInList('id', 'uuid', sql`${param('ids')}`)
        return compileStatement(selectLive().where(isListed).select(columns), { isKeyLookup: true })
      }),

    find: (where: Conditions) =>
      getOrCompile(`find ${conditionsKey(where)}`, () =>
        compileStatement(selectMatching(where).select(columns)),
      ),

    has: (where: Conditions) =>
      getOrCompile(`has ${conditionsKey(where)}`, () => {
        const isKeyLookup = where.every((condition) => 'is' in condition)
        return compileStatement(selectMatching(where).select(sql.lit(1).as('one')).limit(sql.lit(1)), {
          ...planFor(where),
          isKeyLookup,
        })
      }),

    count: (where: Conditions) =>
      getOrCompile(`count ${conditionsKey(where)}`, () =>
        compileStatement(selectMatching(where).select(sql<number>`count(*)`.as('total')), planFor(where)),
      ),

    /** The `total` of rows for each index query, in order. */
    matchCounts: (field: string) =>
      getOrCompile(`totals ${field}`, () =>
        compileStatement(toCompilable(dialect.termIndex.countMatches(name, field))),
      ),

    page: ({ where, ...sort }: PageQuery) =>
      getOrCompile(`page ${pageKey(sort)} ${conditionsKey(where)}`, () =>
        compileStatement(
          paginate(applySort(selectMatching(where), sort)).select(selectedColumns(sort)),
          planFor(where),
        ),
      ),

    /** The `total` of live rows from the counter table. */
    liveTotal: () => getOrCompile('kept total', () => compileStatement(selectLiveTotal())),

    /** As `page` without conditions, with the `total` of live rows in the first row. */
    pageWithTotal: (sort: Omit<PageQuery, 'where'>) =>
      getOrCompile(`totalled ${pageKey(sort)}`, () => {
        const page = paginate(applySort(selectLive(), sort)).select([
          ...selectedColumns(sort),
          sql`(${selectLiveTotal()})`.as('total'),
        ])
        return compileStatement(page, { hasTotal: true })
      }),

    /**
     * As `page` without conditions, but skipped rows are read from the index only. Planned with its values: a
     * generic plan assumes that the page is a tenth of the table and scans all of it.
     */
    deepPage: (sort: Omit<PageQuery, 'where'>) =>
      getOrCompile(`far ${pageKey(sort)}`, () => {
        const rows = scopeToWorkspace(db.selectFrom(name) as unknown as SelectQuery).where(
          'id',
          'in',
          paginate(applySort(selectLive(), sort)).select('id'),
        )
        return compileStatement(applySort(rows, sort).select(selectedColumns(sort)), { plan: 'custom' })
      }),

    /** As `page`, but matches are collected first and then sorted. */
    filteredThenSortedPage: ({ where, ...sort }: PageQuery, { withoutIndex, rowKey }: PlannerHints) =>
      getOrCompile(`sorted ${pageKey(sort)} ${conditionsKey(where)}`, () => {
        const keys = paginate(applySort(selectMatching(where), sort, withoutIndex)).select(rowKey)
        const rows = (db.selectFrom(name) as unknown as SelectQuery).where(rowKey, 'in', keys)
        return compileStatement(applySort(rows, sort).select(selectedColumns(sort)))
      }),

    /**
     * The `total` of rows that match the term conditions alone, and the `keys` of a page by creation; `keys`
     * is null if the page is not close to the start.
     */
    tokenScan: (order: PageQuery['order'], isMaterialized: boolean, plannerHints: PlannerHints) =>
      getOrCompile(`near ${order} ${isMaterialized}`, () =>
        compileStatement(
          toCompilable(tokenScan({ table: name, selectLive, order, isMaterialized }, plannerHints, dialect)),
        ),
      ),

    /** Rows by the `keys` of `near`. */
    byRowKeys: (sort: Omit<PageQuery, 'where'>, { rowKey }: PlannerHints) =>
      getOrCompile(`by keys ${pageKey(sort)}`, () => {
        const rows = (db.selectFrom(name) as unknown as SelectQuery).where(
          dialect.isInList(rowKey, 'integer', sql`${param('keys')}`),
        )
        return compileStatement(applySort(rows, sort).select(selectedColumns(sort)))
      }),

    /**
     * As `page`, with the `total` of all matches in the first row: finding them once is half the work of
     * finding them twice.
     */
    countedPage: ({ where, ...sort }: PageQuery) =>
      getOrCompile(`counted ${pageKey(sort)} ${conditionsKey(where)}`, () => {
        const keys = paginate(applySort(db.selectFrom('found') as unknown as SelectQuery, sort)).select('id')
        const total = db.selectFrom('found').select(sql`count(*)`.as('total'))
        const selectMatches = () => selectMatching(where).select([...new Set(['id', sort.order_by])])
        const rows = db
          .with((cte) => cte('found').materialized(), selectMatches)
          .selectFrom(name) as unknown as SelectQuery
        const page = applySort(scopeToWorkspace(rows).where('id', 'in', keys), sort).select([
          ...selectedColumns(sort),
          total.as('total'),
        ])
        return compileStatement(page, { hasTotal: true })
      }),

    aggregate: (query: AggregateQuery<StoredRecord>) =>
      getOrCompile(`summary ${aggregateKey(query)} ${conditionsKey(query.where)}`, () =>
        compileStatement(aggregateQuery(selectMatching(query.where), query, dialect), planFor(query.where)),
      ),

    medianDuration: ({ where, from, to }: DurationQuery<StoredRecord>) =>
      getOrCompile(`median ${from} ${to} ${conditionsKey(where)}`, () =>
        compileStatement(medianDurationQuery(selectMatching(where), from, to, dialect), planFor(where)),
      ),

    prefixExpansion: ({ expandPrefix: wordsFrom }: PlannerHints) =>
      getOrCompile('words from', () => compileStatement(toCompilable(wordsFrom(name)))),

    estimatedRowCount: ({ estimateRowCount }: PlannerHints) =>
      getOrCompile('size', () => compileStatement(toCompilable(estimateRowCount(name)))),

    insert: () =>
      getOrCompileRepeatable('insert', (count) => {
        const insertedColumns = isWorkspaceScoped ? ['workspace_id', ...columns] : columns
        const row = () => Object.fromEntries(insertedColumns.map((column) => [column, param(column)]))
        return db.insertInto(name).values(Array.from({ length: count }, row))
      }),

    /** Inserts records bound as `rows`, a JSON array. */
    insertMany: () =>
      getOrCompile('insertMany', () =>
        dialect.bulkInsert(name, isWorkspaceScoped ? new Map([['workspace_id', 'uuid'], ...kinds]) : kinds),
      ),

    /** @param changedColumns the columns to write; by default all columns except the id */
    update: (changedColumns = columns.filter((column) => column !== 'id')) =>
      getOrCompile(`update ${changedColumns.join(' ')}`, () => {
        const query = db
          .updateTable(name)
          .set(Object.fromEntries(changedColumns.map((column) => [column, param(column)])))
        return compileStatement(
          scopeToWorkspace(query).where('id', '=', param('id')).where('deleted_at', 'is', null),
        )
      }),

    hardDelete: () =>
      getOrCompile('erase', () =>
        compileStatement(scopeToWorkspace(db.deleteFrom(name)).where('id', '=', param('id'))),
      ),

    softDelete: () =>
      getOrCompile('softDelete', () => {
        const query = db.updateTable(name).set({ deleted_at: param('at') })
        return compileStatement(
          scopeToWorkspace(query).where('id', '=', param('id')).where('deleted_at', 'is', null),
        )
      }),
  }
}

export type RecordStatements = ReturnType<typeof createRecordStatements>

/**
 * Orders conditions by index preference. The better index of a filter and an order depends on the number of
 * matches; that of terms is unknown, so they always come first.
 */
function planFor(where: Conditions): Pick<Statement, 'plan'> {
  return { plan: where.length > 0 && !where.some(isTermCondition) ? 'custom' : 'generic' }
}

function pageKey({ order_by, order, omit = [] }: Omit<PageQuery, 'where'>): string {
  return `${order_by} ${order} -${omit.join('-')}`
}

/** Conditions that differ only in their values share a statement. */
function conditionsKey(where: Conditions): string {
  return where.map((condition) => `${condition.field}:${conditionKey(condition)}`).join(' ')
}

function conditionKey(condition: Condition<StoredRecord>): string {
  if (isTermCondition(condition)) return 'terms'
  if ('whereRelated' in condition)
    return `leads ${condition.whereRelated.collection} ${condition.whereRelated.field}`
  if ('notExists' in condition)
    return `lacks ${condition.notExists.collection} ${condition.notExists.foreignKey} ${condition.notExists.field}`
  if ('oneOf' in condition) return 'oneOf'
  if ('from' in condition) return 'from'
  if ('to' in condition) return 'to'
  return condition.is === null ? 'isNull' : 'is'
}
