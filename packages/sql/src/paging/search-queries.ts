import type {
  AggregateQuery,
  AggregateRow,
  ColumnKind,
  Condition,
  DurationQuery,
  ListQuery,
} from '@sales-crm/core/ports'
import { COUNTED_TABLES } from '../counted-tables.ts'
import type { Dialect, PlannerHints, Term } from '../dialect.ts'
import type { Connection, Row } from '../driver.ts'
import { decodeAggregate } from '../statements/aggregates.ts'
import type { RecordStatements } from '../statements/record-statements.ts'
import { buildMatchQuery, isTermCondition, type TermCondition, toTerms } from '../statements/search-terms.ts'
import { bindValues, type NamedValues, type Statement } from '../statements/statement.ts'
import type { Conditions, StoredRecord, TableShape } from '../statements/table-shape.ts'
import { createUnfilteredList, pageOffset, splitTotal } from './unfiltered-lists.ts'

/** Maximum number of terms that a prefix query is expanded to. Each term costs one lookup. */
const MAX_EXPANSIONS = 8

/** Finds and counts the rows of one table that match conditions. */
export function createSearchQueries(table: TableShape, statements: RecordStatements, dialect: Dialect) {
  const { plannerHints } = dialect
  const listUnfiltered = COUNTED_TABLES.some((name) => name === table.name)
    ? createUnfilteredList(statements, dialect)
    : undefined

  return (connection: Connection, workspaceId: string | undefined) => {
    function queryRows(statement: Statement, values: NamedValues): Promise<readonly Row[]> {
      return connection.query(statement, bindValues(statement, { ...values, workspace_id: workspaceId }))
    }

    /** Values bound by the statements for `where`. */
    function bindConditions(where: Conditions): NamedValues {
      return { ...conditionValues(where, table, dialect), terms: bindMatchQuery(where) }
    }

    function bindMatchQuery(where: Conditions): string | undefined {
      const termConditions = where.filter(isTermCondition)
      return termConditions.length === 0
        ? undefined
        : buildMatchQuery(termConditions, workspaceId!, dialect.termIndex)
    }

    async function list(query: ListQuery<StoredRecord>) {
      const { page, per_page, where, order_by, order, omit = [] } = query
      if (where.length === 0 && listUnfiltered) return listUnfiltered(query, queryRows)
      const pageQuery = { where, order_by, order, omit }
      const values = { ...bindConditions(where), limit: per_page, offset: pageOffset(page, per_page) }
      if (where.length > 0 && plannerHints) {
        const terms = await expandTerms(where, plannerHints)
        const searchValues = {
          ...values,
          ...(terms.length > 0 && { terms: dialect.termIndex.buildMatchQuery(terms) }),
        }
        const scan =
          order_by === 'created_at' && where.every(isTermCondition)
            ? await scanFirstPage(query, terms, searchValues, plannerHints)
            : undefined
        if (scan?.rows) return { rows: scan.rows, total: scan.total }
        const total = scan?.total ?? (await countMatches(where, searchValues))
        const isSorted = await isSortCheaper(where, order_by, total)
        return {
          rows: await queryRows(
            isSorted
              ? statements.filteredThenSortedPage(pageQuery, plannerHints)
              : statements.page(pageQuery),
            searchValues,
          ),
          total,
        }
      }
      if (where.some(isTermCondition)) {
        const rows = await queryRows(statements.countedPage(pageQuery), values)
        return splitTotal(rows) ?? { rows: [], total: page > 1 ? await countMatches(where, values) : 0 }
      }
      const [pageRows, total] = await Promise.all([
        queryRows(statements.page(pageQuery), values),
        countMatches(where, values),
      ])
      return { rows: pageRows, total }
    }

    /** Returns the total, and the page if it is close to the start. */
    async function scanFirstPage(
      query: ListQuery<StoredRecord>,
      terms: readonly Term[],
      values: NamedValues,
      plannerHints: PlannerHints,
    ) {
      // Collecting the rows of a prefix is more work than keeping the result of a query by terms.
      const isMaterialized =
        terms.length > 1 && terms.some(({ isPrefix, expansions }) => isPrefix && !expansions)
      const [result] = await queryRows(
        statements.tokenScan(query.order, isMaterialized, plannerHints),
        values,
      )
      const [total, keys] = [Number(result!['total']), result!['keys']]
      if (keys === null) return { total, rows: undefined }
      return {
        total,
        rows: keys === '[]' ? [] : await queryRows(statements.byRowKeys(query, plannerHints), { keys }),
      }
    }

    async function countMatches(where: Conditions, values: NamedValues): Promise<number> {
      const [first] = where
      if (first && where.every(isTermCondition))
        return (await countByMatchQuery(first.field, [String(values['terms'])]))[0]!
      const [counted] = await queryRows(statements.count(where), values)
      return Number(counted!['total'])
    }

    /**
     * The index query for the term conditions of `where`, expanded to the terms themselves if few terms have
     * the prefix.
     */
    async function expandTerms(where: Conditions, plannerHints: PlannerHints): Promise<Term[]> {
      const termConditions = where.filter(isTermCondition)
      if (termConditions.length === 0) return []
      const expansion = statements.prefixExpansion(plannerHints)
      const terms = toTerms(termConditions, workspaceId!, dialect.termIndex).map(
        async (term): Promise<Term> => {
          if (!term.isPrefix) return term
          const expansions = await queryRows(expansion, { prefix: term.text, most: MAX_EXPANSIONS + 1 })
          return expansions.length > MAX_EXPANSIONS
            ? term
            : { ...term, expansions: expansions.map(({ word }) => String(word)) }
        },
      )
      return Promise.all(terms)
    }

    /**
     * True if the matches are collected and then sorted. If most rows match, a scan in sort order until the
     * page is full is less work, and never much more; if an index has the matches in sort order, there is
     * nothing to sort.
     */
    async function isSortCheaper(where: Conditions, orderBy: string, total: number): Promise<boolean> {
      if (where.some(isTermCondition)) return true
      if (where.every(({ field }) => field === orderBy)) return false
      if (where.length === 1 && 'is' in where[0]! && orderBy === 'created_at') return false
      const [estimate] = await queryRows(statements.estimatedRowCount(plannerHints!), {})
      return total * 2 < Number(estimate!['size'])
    }

    async function countByTerm(
      field: string,
      terms: readonly string[],
    ): Promise<ReadonlyMap<string, number>> {
      const distinctTerms = [...new Set(terms)]
      const matchQueries = distinctTerms.map((hasTerm) => bindMatchQuery([{ field, hasTerm }])!)
      const totals = distinctTerms.length > 0 ? await countByMatchQuery(field, matchQueries) : []
      return new Map(distinctTerms.map((word, index) => [word, totals[index]!]))
    }

    /** Number of records that match each of `questions` in `field`. */
    async function countByMatchQuery(field: string, matchQueries: readonly string[]): Promise<number[]> {
      const counts = await queryRows(statements.matchCounts(field), {
        questions: dialect.encodeList(matchQueries),
      })
      return counts.map((row) => Number(row['total']))
    }

    async function aggregate(query: AggregateQuery<StoredRecord>): Promise<AggregateRow[]> {
      const groups = await queryRows(statements.aggregate(query), {
        ...bindConditions(query.where),
        most: query.limit,
      })
      return groups.map((row) => decodeAggregate(row, query, table, dialect))
    }

    async function medianDuration(query: DurationQuery<StoredRecord>): Promise<number | undefined> {
      const [result] = await queryRows(statements.medianDuration(query), bindConditions(query.where))
      return result?.['median'] == null ? undefined : Number(result['median'])
    }

    return {
      bound: bindConditions,
      list,
      tally: countByTerm,
      aggregate: aggregate,
      medianDuration: medianDuration,
    }
  }
}

/** Values of all conditions except term conditions. */
function conditionValues(where: Conditions, { kinds }: TableShape, dialect: Dialect): NamedValues {
  const values: Record<string, unknown> = {}
  for (const [index, condition] of where.entries()) {
    if (!isTermCondition(condition))
      values[`where_${index}`] = conditionValue(condition, kinds.get(condition.field)!, dialect)
  }
  return values
}

function conditionValue(
  condition: Exclude<Condition<StoredRecord>, TermCondition<StoredRecord>>,
  kind: ColumnKind,
  dialect: Dialect,
): unknown {
  if ('whereRelated' in condition) return condition.whereRelated.is
  if ('notExists' in condition) return condition.notExists.from
  if ('oneOf' in condition) return dialect.encodeList(condition.oneOf)
  if ('from' in condition) return condition.from
  if ('to' in condition) return condition.to
  return condition.is === null ? null : (dialect.encoders[kind]?.(condition.is) ?? condition.is)
}
