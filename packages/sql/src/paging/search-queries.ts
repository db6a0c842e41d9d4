import {
  type AggregateQuery,
  type AggregateRow,
  COUNTED_COLLECTIONS,
  type DurationQuery,
  type GroupListQuery,
  type ListQuery,
} from '@sales-crm/core/ports'
import type { Dialect, PlannerHints, Term } from '../dialect.ts'
import type { Connection, Row } from '../driver.ts'
import { boundaryValues, decodeAggregate } from '../statements/aggregates.ts'
import { decodeGroups } from '../statements/group-lists.ts'
import { isTermCondition, listSourceTerms, type TermCondition, toTerms } from '../statements/search-terms.ts'
import { findSortColumn } from '../statements/sort.ts'
import { bindValues, type NamedValues, type Statement } from '../statements/statement.ts'
import type { Conditions, StoredRecord, TableShape } from '../statements/table-shape.ts'
import { chooseSort } from './choose-sort.ts'
import { buildMatchQuery, conditionValues, orderValues } from './condition-values.ts'
import { divideAlternatives } from './divide-alternatives.ts'
import { expandTerms } from './expand-terms.ts'
import { isGroupIndexed, listGroupsByIndex } from './indexed-groups.ts'
import { listAlternatives } from './list-alternatives.ts'
import { reserveEntries, reserveSort } from './reserve-entries.ts'
import type { SearchStatements } from './search-statements.ts'
import { createUnfilteredList, pageOffset, type RowsAndTotal, splitTotal } from './unfiltered-lists.ts'

/** Creates the queries of one table, for each transaction and workspace. */
export function createSearchQueries(table: TableShape, statements: SearchStatements, dialect: Dialect) {
  const listUnfiltered = COUNTED_COLLECTIONS.some((name) => name === table.name)
    ? createUnfilteredList(statements, dialect)
    : undefined
  const context = { table, statements, dialect, listUnfiltered }
  return (connection: Connection, workspaceId: string | undefined) =>
    new SearchQueries(context, connection, workspaceId)
}

interface SearchContext {
  readonly table: TableShape
  readonly statements: SearchStatements
  readonly dialect: Dialect
  /** For tables whose total is maintained. */
  readonly listUnfiltered: ReturnType<typeof createUnfilteredList> | undefined
  /** The columns with an index, once they were read: only migrations change them. */
  indexedColumns?: ReadonlySet<string>
}

/** Finds and counts the rows of one table that match conditions. */
class SearchQueries {
  readonly #context: SearchContext
  readonly #connection: Connection
  readonly #workspaceId: string | undefined

  constructor(context: SearchContext, connection: Connection, workspaceId: string | undefined) {
    this.#context = context
    this.#connection = connection
    this.#workspaceId = workspaceId
  }

  /** Values bound by the statements for `where`. */
  bindConditions(where: Conditions, prefix?: string): NamedValues {
    const context = this.#valueContext
    return { ...conditionValues(where, context, prefix), terms: buildMatchQuery(where, context) }
  }

  async list(query: ListQuery<StoredRecord>): Promise<RowsAndTotal> {
    const { page, per_page, where } = query
    const { listUnfiltered, dialect } = this.#context
    const { entryBudget } = this.#connection
    const sort = orderValues(query, this.#valueContext)
    const queryRows = (statement: Statement, values: NamedValues) =>
      this.#queryRows(statement, { ...values, ...sort })
    if (where.length === 0 && listUnfiltered) {
      if (entryBudget && dialect.plannerHints)
        await reserveSort(query, entryBudget, dialect.plannerHints, this.#source)
      return listUnfiltered(query, queryRows, entryBudget)
    }
    const parts = listUnfiltered && divideAlternatives(where)
    if (parts) return listAlternatives(query, parts, { ...this.#source, queryRows })
    const bounds = { limit: per_page, offset: pageOffset(page, per_page) }
    const values = { ...this.bindConditions(where), ...bounds, ...sort }
    if (where.length > 0 && dialect.plannerHints) return this.#listByPlan(query, values, dialect.plannerHints)
    if (listSourceTerms(where).length > 0) return this.#listCounted(query, values)
    const [rows, total] = await Promise.all([
      this.#queryRows(this.#context.statements.page(query), values),
      this.#countMatches(where, values),
    ])
    return { rows, total }
  }

  async countByTerm(field: string, terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const distinctTerms = [...new Set(terms)]
    for (const hasTerm of distinctTerms) await this.#reserveEntries([{ field, hasTerm }])
    const matchQueries = distinctTerms.map(
      (hasTerm) => buildMatchQuery([{ field, hasTerm }], this.#valueContext)!,
    )
    const totals = distinctTerms.length > 0 ? await this.#countByMatchQuery(field, matchQueries) : []
    return new Map(distinctTerms.map((term, index) => [term, totals[index]!]))
  }

  async aggregate(query: AggregateQuery<StoredRecord>): Promise<AggregateRow[]> {
    const { table, statements, dialect } = this.#context
    const indexColumn = await this.#reserveEntries(query.where)
    const values = {
      ...this.bindConditions(query.where),
      ...boundaryValues(query.groupBy),
      most: query.limit,
    }
    const groups = await this.#queryRows(statements.aggregate(query, indexColumn), values)
    return groups.map((row) => decodeAggregate(row, query, table, dialect))
  }

  async medianDuration(query: DurationQuery<StoredRecord>): Promise<number | undefined> {
    const indexColumn = await this.#reserveEntries(query.where)
    const statement = this.#context.statements.medianDuration(query, indexColumn)
    const [result] = await this.#queryRows(statement, this.bindConditions(query.where))
    return result?.['median'] == null ? undefined : Number(result['median'])
  }

  async groups(query: GroupListQuery<StoredRecord>): Promise<ReturnType<typeof decodeGroups>> {
    const { statements, dialect } = this.#context
    if (isGroupIndexed(this.#context.table.name, query))
      return listGroupsByIndex(query, { ...this.#source, aggregate: (totals) => this.aggregate(totals) })
    const indexColumn = await this.#reserveEntries(query.where)
    const values: Record<string, unknown> = { ...this.bindConditions(query.where), limit: query.limit }
    for (const [index, { keys, where }] of query.sections.entries()) {
      values[`keys_${index}`] = dialect.encodeList(keys)
      Object.assign(values, conditionValues(where, this.#valueContext, `section_${index}`))
    }
    return decodeGroups(await this.#queryRows(statements.groups(query, indexColumn), values), dialect)
  }

  /** Counts first, and then decides how to read the page: by a token scan, by sorting, or in order. */
  async #listByPlan(
    query: ListQuery<StoredRecord>,
    values: NamedValues,
    hints: PlannerHints,
  ): Promise<RowsAndTotal> {
    const { statements, dialect } = this.#context
    const { where } = query
    const indexColumn = await this.#reserveEntries(where)
    const terms = await this.#expandTerms(listSourceTerms(where), hints)
    const searchValues =
      terms.length > 0 ? { ...values, terms: dialect.termIndex.buildMatchQuery(terms) } : values
    const isSearch = where.every(isTermCondition)
    // Otherwise each match is looked up for its other conditions, twice.
    if (terms.length > 0 && !isSearch) return this.#listCounted(query, searchValues)
    const canScan = findSortColumn(query) === 'created_at' && isSearch
    const scan = canScan ? await this.#scanFirstPage(query, terms, searchValues, hints) : undefined
    if (scan?.rows) return { rows: scan.rows, total: scan.total }
    const total = scan?.total ?? (await this.#countMatches(where, searchValues, indexColumn))
    const statement = (await this.#isSortCheaper(query, total, hints, indexColumn))
      ? statements.filteredThenSortedPage(query, hints, indexColumn)
      : statements.page(query)
    return { rows: await this.#queryRows(statement, searchValues), total }
  }

  /** Finds the matches once, for the page and the total. */
  async #listCounted(query: ListQuery<StoredRecord>, values: NamedValues): Promise<RowsAndTotal> {
    const { page, where } = query
    const rows = await this.#queryRows(this.#context.statements.countedPage(query), values)
    return splitTotal(rows) ?? { rows: [], total: page > 1 ? await this.#countMatches(where, values) : 0 }
  }

  /** Returns the total, and the page if it is close to the start. */
  async #scanFirstPage(
    query: ListQuery<StoredRecord>,
    terms: readonly Term[],
    values: NamedValues,
    hints: PlannerHints,
  ): Promise<{ readonly total: number; readonly rows: readonly Row[] | undefined }> {
    const { statements } = this.#context
    // Collecting the rows of a prefix is more work than keeping the result of a query by terms.
    const isMaterialized =
      terms.length > 1 && terms.some(({ isPrefix, expansions }) => isPrefix && !expansions)
    const [result] = await this.#queryRows(statements.tokenScan(query.order, isMaterialized, hints), values)
    const [total, keys] = [Number(result!['total']), result!['keys']]
    if (keys === null) return { total, rows: undefined }
    const rows = keys === '[]' ? [] : await this.#queryRows(statements.byRowKeys(query, hints), { keys })
    return { total, rows }
  }

  async #countMatches(where: Conditions, values: NamedValues, indexColumn?: string): Promise<number> {
    const [first] = where
    if (first && isTermCondition(first) && where.every(isTermCondition))
      return (await this.#countByMatchQuery(first.field, [String(values['terms'])]))[0]!
    const [result] = await this.#queryRows(this.#context.statements.count(where, indexColumn), values)
    return Number(result!['total'])
  }

  /** @throws LongReadError if no index bounds what finding the matches visits */
  async #reserveEntries(where: Conditions): Promise<string | undefined> {
    const { entryBudget } = this.#connection
    const { plannerHints } = this.#context.dialect
    if (!entryBudget || !plannerHints) return undefined
    return reserveEntries(where, entryBudget, plannerHints, this.#source)
  }

  /** Number of records that match each of the index queries in `field`. */
  async #countByMatchQuery(field: string, matchQueries: readonly string[]): Promise<number[]> {
    const { statements, dialect } = this.#context
    const counts = await this.#queryRows(statements.matchCounts(field), {
      questions: dialect.encodeList(matchQueries),
    })
    return counts.map((row) => Number(row['total']))
  }

  async #expandTerms(conditions: readonly TermCondition[], hints: PlannerHints): Promise<Term[]> {
    if (conditions.length === 0) return []
    const { statements, dialect } = this.#context
    const statement = statements.prefixExpansion(hints)
    return expandTerms(toTerms(conditions, this.#workspaceId!, dialect.termIndex), (values) =>
      this.#queryRows(statement, values),
    )
  }

  /** True if the matches are collected and then sorted. */
  async #isSortCheaper(
    { where, ...sort }: ListQuery<StoredRecord>,
    total: number,
    hints: PlannerHints,
    indexColumn: string | undefined,
  ): Promise<boolean> {
    const { table, statements } = this.#context
    const known = chooseSort(where, findSortColumn(sort), { table: table.name, indexColumn })
    if (known !== undefined) return known
    const [estimate] = await this.#queryRows(statements.estimatedRowCount(hints), {})
    return total * 2 < Number(estimate!['size'])
  }

  /** What lists, groups and estimates read with. */
  get #source() {
    return {
      ...this.#context,
      context: this.#context,
      workspaceId: this.#workspaceId!,
      entryBudget: this.#connection.entryBudget,
      bindConditions: (where: Conditions, prefix?: string) => this.bindConditions(where, prefix),
      queryRows: (statement: Statement, values: NamedValues) => this.#queryRows(statement, values),
    }
  }

  get #valueContext() {
    return { ...this.#context, workspaceId: this.#workspaceId }
  }

  #queryRows(statement: Statement, values: NamedValues): Promise<readonly Row[]> {
    const scopedValues = { ...values, workspace_id: this.#workspaceId }
    return this.#connection.query(statement, bindValues(statement, scopedValues))
  }
}
