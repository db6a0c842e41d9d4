import type { AggregateQuery, DurationQuery, GroupListQuery, ListQuery } from '@sales-crm/core/ports'
import { sql } from 'kysely'
import type { PlannerHints } from '../dialect.ts'
import { aggregateKey, aggregateQuery, medianDurationQuery } from '../statements/aggregates.ts'
import { conditionsKey, planFor } from '../statements/conditions.ts'
import { groupListKey, groupListQuery } from '../statements/group-lists.ts'
import { applySort, paginate, type SelectQuery } from '../statements/select-query.ts'
import { param, type Statement } from '../statements/statement.ts'
import type { TableQueries } from '../statements/table-queries.ts'
import type { Conditions, StoredRecord } from '../statements/table-shape.ts'
import { tokenScan } from './token-scan.ts'

type PageQuery = Pick<ListQuery<StoredRecord>, 'where' | 'order_by' | 'order' | 'omit'>

/** The statements of pages, totals and aggregates, compiled on first use. */
export class SearchStatements {
  readonly #table: TableQueries

  constructor(table: TableQueries) {
    this.#table = table
  }

  /** @param indexColumn as in `ConditionOptions` */
  count(where: Conditions, indexColumn?: string): Statement {
    return this.#table.getOrCompile(
      `count ${conditionsKey(where)} by ${indexColumn}`,
      () => this.#table.selectMatching(where, { indexColumn }).select(sql<number>`count(*)`.as('total')),
      planFor(where),
    )
  }

  /** The `total` of rows of parts without a common row. The values of the first begin with `part_0`. */
  countParts(parts: readonly Conditions[]): Statement {
    const key = `countParts ${parts.map(conditionsKey).join(' | ')}`
    return this.#table.getOrCompile(key, () => {
      const counts = parts.map((where, index) => {
        const rows = this.#table.selectMatching(where, { prefix: partName(index) })
        return sql`(${rows.select(sql<number>`count(*)`.as('total'))})`
      })
      return sql`select ${sql.join(counts, sql` + `)} as total`
    })
  }

  /** A page of the matches among the first `visits` rows in its order. */
  pageAmongFirst({ where, ...sort }: PageQuery): Statement {
    return this.#table.getOrCompile(
      `pageAmongFirst ${pageKey(sort)} ${conditionsKey(where)}`,
      () => {
        const live = applySort(this.#table.selectLive(), sort)
        const first = live.select(this.#rowKey).limit(param<number>('visits'))
        const rows = this.#table.filter(this.#selectByKeys(first), where)
        return paginate(applySort(rows, sort)).select(this.#selectedColumns(sort))
      },
      { plan: 'custom' },
    )
  }

  /** A page of the rows of parts, which are collected first and then sorted. Values as for `countParts`. */
  pageOfParts(parts: readonly Conditions[], sort: Omit<PageQuery, 'where'>): Statement {
    return this.#table.getOrCompile(
      `pageOfParts ${pageKey(sort)} ${parts.map(conditionsKey).join(' | ')}`,
      () => {
        const { plannerHints } = this.#table.dialect
        const [first, ...others] = parts.map((where, index) =>
          this.#table.selectMatching(where, { prefix: partName(index) }).select(this.#rowKey),
        )
        const keys = others.reduce((all, each) => all.unionAll(each), first!)
        return paginate(applySort(this.#selectByKeys(keys), sort, plannerHints?.withoutIndex)).select(
          this.#selectedColumns(sort),
        )
      },
      { plan: 'custom' },
    )
  }

  /** The `total` of matching rows, counted up to the number bound as `most`. */
  countUpTo(where: Conditions): Statement {
    return this.#table.getOrCompile(`countUpTo ${conditionsKey(where)}`, () => {
      const rows = this.#table.selectMatching(where).select(sql.lit(1).as('one')).limit(param<number>('most'))
      return this.#table.selectAll(rows.as('rows')).select(sql<number>`count(*)`.as('total'))
    })
  }

  /** The `total` of entries of the term index, as in `PlannerHints.countTermEntries`. */
  countTermEntries({ countTermEntries }: PlannerHints): Statement {
    return this.#table.getOrCompile('countTermEntries', () => countTermEntries(this.#table.name))
  }

  /** The names of the columns with an index. */
  indexedColumns({ listIndexedColumns }: PlannerHints): Statement {
    return this.#table.getOrCompile('indexedColumns', () => listIndexedColumns(this.#table.name))
  }

  /**
   * The `total` of rows for each index query, in order. Planned anew each time: a plan that was made for a table of a few
   * rows reads all of a table that an import has filled since.
   */
  matchCounts(field: string): Statement {
    return this.#table.getOrCompile(
      `matchCounts ${field}`,
      () => this.#table.dialect.termIndex.countMatches(this.#table.name, field),
      { plan: 'custom' },
    )
  }

  page({ where, ...sort }: PageQuery): Statement {
    return this.#table.getOrCompile(
      `page ${pageKey(sort)} ${conditionsKey(where)}`,
      () => paginate(applySort(this.#table.selectMatching(where), sort)).select(this.#selectedColumns(sort)),
      planFor(where),
    )
  }

  /** The `total` of live rows from the counter table. */
  liveTotal(): Statement {
    return this.#table.getOrCompile('liveTotal', () => this.#selectLiveTotal())
  }

  /** An unfiltered page with the `total` of live rows in each row. */
  pageWithTotal(sort: Omit<PageQuery, 'where'>): Statement {
    return this.#table.getOrCompile(`pageWithTotal ${pageKey(sort)}`, () =>
      paginate(applySort(this.#table.selectLive(), sort)).select([
        ...this.#selectedColumns(sort),
        sql`(${this.#selectLiveTotal()})`.as('total'),
      ]),
    )
  }

  /**
   * An unfiltered page whose skipped rows are read from the index only. Planned with its values: a generic
   * plan assumes that the page is a tenth of the table and scans all of it.
   */
  deepPage(sort: Omit<PageQuery, 'where'>): Statement {
    return this.#table.getOrCompile(
      `deepPage ${pageKey(sort)}`,
      () => {
        const ids = paginate(applySort(this.#table.selectLive(), sort)).select('id')
        const rows = this.#table.scopeToWorkspace(this.#table.selectAll()).where('id', 'in', ids)
        return applySort(rows, sort).select(this.#selectedColumns(sort))
      },
      { plan: 'custom' },
    )
  }

  /** A page whose matches are collected first and then sorted. */
  filteredThenSortedPage(
    { where, ...sort }: PageQuery,
    { withoutIndex, rowKey }: PlannerHints,
    indexColumn?: string,
  ): Statement {
    const key = `filteredThenSortedPage ${pageKey(sort)} ${conditionsKey(where)} by ${indexColumn}`
    return this.#table.getOrCompile(key, () => {
      const matches = this.#table.selectMatching(where, { indexColumn })
      const keys = paginate(applySort(matches, sort, withoutIndex)).select(rowKey)
      const rows = this.#table.selectAll().where(rowKey, 'in', keys)
      return applySort(rows, sort).select(this.#selectedColumns(sort))
    })
  }

  /**
   * The `total` of rows that match the term conditions alone, and the `keys` of a page by creation; `keys`
   * is null if the page is not close to the start.
   */
  tokenScan(order: PageQuery['order'], isMaterialized: boolean, hints: PlannerHints): Statement {
    return this.#table.getOrCompile(`tokenScan ${order} ${isMaterialized}`, () => {
      const scan = {
        table: this.#table.name,
        selectLive: () => this.#table.selectLive(),
        order,
        isMaterialized,
      }
      return tokenScan(scan, hints, this.#table.dialect)
    })
  }

  /** Rows by the `keys` of `tokenScan`. */
  byRowKeys(sort: Omit<PageQuery, 'where'>, { rowKey }: PlannerHints): Statement {
    return this.#table.getOrCompile(`byRowKeys ${pageKey(sort)}`, () => {
      const isListed = this.#table.dialect.isInList(sql.ref(rowKey), 'integer', sql`${param('keys')}`)
      const rows = this.#table.selectAll().where(isListed)
      return applySort(rows, sort).select(this.#selectedColumns(sort))
    })
  }

  /**
   * A page with the `total` of all matches in each row: finding them once is half the work of finding
   * them twice.
   */
  countedPage({ where, ...sort }: PageQuery): Statement {
    return this.#table.getOrCompile(`countedPage ${pageKey(sort)} ${conditionsKey(where)}`, () => {
      const { compiler: db } = this.#table.dialect
      const keys = paginate(applySort(db.selectFrom('found') as unknown as SelectQuery, sort)).select('id')
      const total = db.selectFrom('found').select(sql`count(*)`.as('total'))
      const selectMatches = () =>
        this.#table.selectMatching(where).select([...new Set(['id', sort.order_by])])
      const rows = db
        .with((cte) => cte('found').materialized(), selectMatches)
        .selectFrom(this.#table.name) as unknown as SelectQuery
      const page = applySort(this.#table.scopeToWorkspace(rows).where('id', 'in', keys), sort)
      return page.select([...this.#selectedColumns(sort), total.as('total')])
    })
  }

  aggregate(query: AggregateQuery<StoredRecord>, indexColumn?: string): Statement {
    const { where } = query
    return this.#table.getOrCompile(
      `aggregate ${aggregateKey(query)} ${conditionsKey(where)} by ${indexColumn}`,
      () => aggregateQuery(this.#table.selectMatching(where, { indexColumn }), query, this.#table.dialect),
      planFor(where),
    )
  }

  medianDuration({ where, from, to }: DurationQuery<StoredRecord>, indexColumn?: string): Statement {
    return this.#table.getOrCompile(
      `medianDuration ${from} ${to} ${conditionsKey(where)} by ${indexColumn}`,
      () =>
        medianDurationQuery(
          this.#table.selectMatching(where, { indexColumn }),
          from,
          to,
          this.#table.dialect,
        ),
      planFor(where),
    )
  }

  groups(query: GroupListQuery<StoredRecord>, indexColumn?: string): Statement {
    return this.#table.getOrCompile(
      `groups ${groupListKey(query)} ${conditionsKey(query.where)} by ${indexColumn}`,
      () => groupListQuery(this.#table, query, indexColumn),
      planFor(query.where),
    )
  }

  prefixExpansion({ expandPrefix }: PlannerHints): Statement {
    return this.#table.getOrCompile('prefixExpansion', () => expandPrefix(this.#table.name))
  }

  estimatedRowCount({ estimateRowCount }: PlannerHints): Statement {
    return this.#table.getOrCompile('estimatedRowCount', () => estimateRowCount(this.#table.name))
  }

  get #rowKey(): string {
    return this.#table.dialect.plannerHints?.rowKey ?? 'id'
  }

  #selectByKeys(keys: SelectQuery): SelectQuery {
    const all = this.#table.selectAll()
    // An id is found by the workspace, too; a key of rows alone.
    const rows = this.#rowKey === 'id' ? this.#table.scopeToWorkspace(all) : all
    return rows.where(this.#rowKey, 'in', keys)
  }

  #selectedColumns({ omit = [] }: Pick<PageQuery, 'omit'>): readonly string[] {
    return omit.length === 0
      ? this.#table.columns
      : this.#table.columns.filter((column) => !omit.includes(column))
  }

  #selectLiveTotal(): SelectQuery {
    return this.#table
      .selectAll('live_rows')
      .where('live_rows.workspace_id', '=', param('workspace_id'))
      .where('table_name', '=', sql.lit(this.#table.name))
      .select(sql`coalesce(sum(total), 0)`.as('total'))
  }
}

/** What the names of the values of a part of `countParts` begin with. */
export function partName(index: number): string {
  return `part_${index}`
}

function pageKey({ order_by, order, omit = [] }: Omit<PageQuery, 'where'>): string {
  return `${order_by} ${order} -${omit.join('-')}`
}
