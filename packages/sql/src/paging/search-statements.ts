import type { AggregateQuery, DurationQuery, GroupListQuery } from '@sales-crm/core/ports'
import { sql } from 'kysely'
import type { PlannerHints } from '../dialect.ts'
import { aggregateKey, aggregateQuery, medianDurationQuery } from '../statements/aggregates.ts'
import { conditionsKey, planFor } from '../statements/conditions.ts'
import { groupListKey, groupListQuery } from '../statements/group-lists.ts'
import { paginate, type SelectQuery } from '../statements/select-query.ts'
import { listSortColumns, type PageSort, pageKey } from '../statements/sort.ts'
import { param, type Statement } from '../statements/statement.ts'
import type { TableQueries } from '../statements/table-queries.ts'
import type { Conditions, StoredRecord } from '../statements/table-shape.ts'
import { AlternativeStatements } from './alternative-statements.ts'
import { tokenScan } from './token-scan.ts'

interface PageQuery extends PageSort {
  readonly where: Conditions
}

/** The statements of pages, totals and aggregates, compiled on first use. */
export class SearchStatements {
  readonly alternatives: AlternativeStatements
  readonly #table: TableQueries

  constructor(table: TableQueries) {
    this.#table = table
    this.alternatives = new AlternativeStatements(table)
  }

  /** @param indexColumn as in `ConditionOptions` */
  count(where: Conditions, indexColumn?: string): Statement {
    return this.#table.getOrCompile(
      `count ${conditionsKey(where)} by ${indexColumn}`,
      () => this.#table.selectMatching(where, { indexColumn }).select(sql<number>`count(*)`.as('total')),
      planFor(where),
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
      () =>
        paginate(this.#table.sort(this.#table.selectMatching(where), sort)).select(
          this.#table.listColumns(sort),
        ),
      planFor(where),
    )
  }

  /** The `total` of live rows from the counter table. */
  liveTotal(): Statement {
    return this.#table.getOrCompile('liveTotal', () => this.#table.selectLiveTotal())
  }

  /** An unfiltered page with the `total` of live rows in each row. */
  pageWithTotal(sort: PageSort): Statement {
    return this.#table.getOrCompile(`pageWithTotal ${pageKey(sort)}`, () =>
      paginate(this.#table.sort(this.#table.selectLive(), sort)).select([
        ...this.#table.listColumns(sort),
        sql`(${this.#table.selectLiveTotal()})`.as('total'),
      ]),
    )
  }

  /**
   * An unfiltered page whose skipped rows are read from the index only. Planned with its values: a generic
   * plan assumes that the page is a tenth of the table and scans all of it.
   */
  deepPage(sort: PageSort): Statement {
    return this.#table.getOrCompile(
      `deepPage ${pageKey(sort)}`,
      () => {
        const ids = paginate(this.#table.sort(this.#table.selectLive(), sort)).select('id')
        const rows = this.#table.scopeToWorkspace(this.#table.selectAll()).where('id', 'in', ids)
        return this.#table.sort(rows, sort).select(this.#table.listColumns(sort))
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
      const keys = paginate(this.#table.sort(matches, sort, { columnRef: withoutIndex })).select(rowKey)
      const rows = this.#table.selectAll().where(rowKey, 'in', keys)
      return this.#table.sort(rows, sort).select(this.#table.listColumns(sort))
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
  byRowKeys(sort: PageSort, { rowKey }: PlannerHints): Statement {
    return this.#table.getOrCompile(`byRowKeys ${pageKey(sort)}`, () => {
      const isListed = this.#table.dialect.isInList(sql.ref(rowKey), 'integer', sql`${param('keys')}`)
      const rows = this.#table.selectAll().where(isListed)
      return this.#table.sort(rows, sort).select(this.#table.listColumns(sort))
    })
  }

  /**
   * A page with the `total` of all matches in each row: finding them once is half the work of finding
   * them twice.
   */
  countedPage({ where, ...sort }: PageQuery): Statement {
    const key = `countedPage ${pageKey(sort)} ${conditionsKey(where)}`
    return this.#table.getOrCompile(
      key,
      () => {
        const { compiler: db } = this.#table.dialect
        const keys = paginate(
          this.#table.sort(db.selectFrom('found') as unknown as SelectQuery, sort, { source: 'found' }),
        ).select('id')
        const total = db.selectFrom('found').select(sql`count(*)`.as('total'))
        const selectMatches = () =>
          this.#table.selectMatching(where).select([...new Set(['id', ...listSortColumns(sort)])])
        const rows = db
          .with((cte) => cte('found').materialized(), selectMatches)
          .selectFrom(this.#table.name) as unknown as SelectQuery
        const page = this.#table.sort(this.#table.scopeToWorkspace(rows).where('id', 'in', keys), sort)
        return page.select([...this.#table.listColumns(sort), total.as('total')])
      },
      planFor(where),
    )
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
}
