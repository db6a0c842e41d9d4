import type { Dialect, PlannerHints } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { EntryBudget } from '../entry-budget.ts'
import {
  isIndexable,
  isOnField,
  listFieldConditions,
  scansRelated,
} from '../statements/logical-conditions.ts'
import { findTermsOrLink, isTermCondition, type TermCondition, toTerms } from '../statements/search-terms.ts'
import { findSortColumn, type Sort } from '../statements/sort.ts'
import type { NamedValues, Statement } from '../statements/statement.ts'
import type { Conditions } from '../statements/table-shape.ts'
import type { SearchStatements } from './search-statements.ts'

/** What the estimates of a table's reads need, in one workspace. */
interface EstimateSource {
  readonly context: {
    readonly statements: SearchStatements
    readonly dialect: Dialect
    /** The columns with an index, once they were read: only migrations change them. */
    indexedColumns?: ReadonlySet<string>
  }
  readonly workspaceId: string
  bindConditions(where: Conditions): NamedValues
  queryRows(statement: Statement, values: NamedValues): Promise<readonly Row[]>
}

/**
 * Takes the entries that finding the matches visits from a budget.
 * @returns the column whose index must then find the matches, if the conditions have several
 * @throws LongReadError if no index bounds them
 */
export async function reserveEntries(
  where: Conditions,
  budget: EntryBudget,
  hints: PlannerHints,
  source: EstimateSource,
): Promise<string | undefined> {
  // How many related records there are is not known.
  if (listFieldConditions(where).some(scansRelated)) budget.take(Number.POSITIVE_INFINITY)
  await reserveOperandTerms(where, budget, hints, source)
  const most = budget.remaining + 1
  const terms = where.filter(isTermCondition)
  if (terms.length > 0) {
    const counts = await Promise.all(terms.map((term) => countTermEntries(term, most, hints, source)))
    const entries = sumPrefixes(terms, counts)
    if (entries < most) return void budget.take(entries)
  } else if (await isLinkIndexed(where, hints, source)) {
    return void budget.take(await countUpTo([findTermsOrLink(where)!.link], most, source))
  } else {
    for (const field of await findIndexedFields(where, hints, source)) {
      const conditions = where.filter((condition) => isOnField(condition, field))
      const entries = await countUpTo(conditions, most, source)
      if (entries < most) {
        budget.take(entries)
        return field
      }
    }
  }
  budget.take(await countUpTo([], most, source))
  return undefined
}

/** The index collects all matches of each term within another condition. */
async function reserveOperandTerms(
  where: Conditions,
  budget: EntryBudget,
  hints: PlannerHints,
  source: EstimateSource,
): Promise<void> {
  const logicalConditions = where.filter((condition) => !('field' in condition))
  for (const term of listFieldConditions(logicalConditions).filter(isTermCondition))
    budget.take(await countTermEntries(term, budget.remaining + 1, hints, source))
}

/**
 * Takes the entries that sorting all rows visits from a budget, unless an index has them in order.
 * @throws LongReadError
 */
export async function reserveSort(
  sort: Sort,
  budget: EntryBudget,
  hints: PlannerHints,
  source: EstimateSource,
): Promise<void> {
  const column = findSortColumn(sort)
  if (column !== undefined && (await loadIndexedColumns(hints, source)).has(column)) return
  budget.take(await countUpTo([], budget.remaining + 1, source))
}

async function loadIndexedColumns(
  hints: PlannerHints,
  { context, queryRows }: EstimateSource,
): Promise<ReadonlySet<string>> {
  if (!context.indexedColumns) {
    const rows = await queryRows(context.statements.indexedColumns(hints), {})
    context.indexedColumns = new Set(rows.map(({ name }) => String(name)))
  }
  return context.indexedColumns
}

/** True for alternatives of terms, whose entries have been taken, and of a link that an index answers. */
async function isLinkIndexed(
  where: Conditions,
  hints: PlannerHints,
  source: EstimateSource,
): Promise<boolean> {
  const alternatives = findTermsOrLink(where)
  return alternatives !== undefined && (await loadIndexedColumns(hints, source)).has(alternatives.link.field)
}

/** The fields of conditions that an index can answer. */
async function findIndexedFields(
  where: Conditions,
  hints: PlannerHints,
  source: EstimateSource,
): Promise<readonly string[]> {
  const indexedColumns = await loadIndexedColumns(hints, source)
  const fields = where.flatMap((condition) =>
    'field' in condition && isIndexable(condition) ? [condition.field] : [],
  )
  return [...new Set(fields)].filter((field) => indexedColumns.has(field))
}

async function countUpTo(where: Conditions, most: number, source: EstimateSource): Promise<number> {
  const values = { ...source.bindConditions(where), most }
  const [result] = await source.queryRows(source.context.statements.countUpTo(where), values)
  return Number(result!['total'])
}

async function countTermEntries(
  condition: TermCondition,
  most: number,
  hints: PlannerHints,
  { context, workspaceId, queryRows }: EstimateSource,
): Promise<number> {
  const [term] = toTerms([condition], workspaceId, context.dialect.termIndex)
  const last = term!.isPrefix ? `${term!.text}\u{10ffff}` : term!.text
  const values = { first: term!.text, last, most }
  const [result] = await queryRows(context.statements.countTermEntries(hints), values)
  return Number(result!['total'])
}

/** An index skips from match to match of an exact term, but collects all matches of a prefix. */
function sumPrefixes(terms: readonly TermCondition[], counts: readonly number[]): number {
  const prefixCounts = counts.filter((_, index) => 'hasPrefix' in terms[index]!)
  return prefixCounts.length > 0 ? prefixCounts.reduce((sum, count) => sum + count, 0) : Math.min(...counts)
}
