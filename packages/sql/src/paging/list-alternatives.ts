import { type ListQuery, RULED_KINDS } from '@sales-crm/core/ports'
import { type Dialect, NO_OWNER } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { EntryBudget } from '../entry-budget.ts'
import { findSortColumn } from '../statements/sort.ts'
import type { NamedValues, Statement } from '../statements/statement.ts'
import type { Conditions, StoredRecord, TableShape } from '../statements/table-shape.ts'
import { partName } from './alternative-statements.ts'
import { findOwners } from './divide-alternatives.ts'
import type { SearchStatements } from './search-statements.ts'
import { pageOffset, type RowsAndTotal } from './unfiltered-lists.ts'

/** How many times as many rows are visited as a page needs if matches are spread evenly: few pages find too few. */
const VISIT_MARGIN = 1.5
/** More rows take longer than a few milliseconds. */
const MAX_VISITS = 10_000

interface ListSource {
  readonly table: Pick<TableShape, 'name'>
  readonly dialect: Pick<Dialect, 'encodeList'>
  readonly statements: SearchStatements
  readonly entryBudget: EntryBudget | undefined
  bindConditions(where: Conditions, prefix?: string): NamedValues
  queryRows(statement: Statement, values: NamedValues): Promise<readonly Row[]>
}

/**
 * Lists the rows of parts without a common row, each of which an index finds. The page is read among the first rows in its
 * order, as many as have it if matches are spread evenly, with a margin; or, if that is more work or they are not, by
 * collecting and sorting the matches.
 * @param parts those of `query.where`
 * @throws LongReadError if the matches are more than the budget has
 */
export async function listAlternatives(
  query: ListQuery<StoredRecord>,
  parts: readonly Conditions[],
  source: ListSource,
): Promise<RowsAndTotal> {
  const { statements, entryBudget } = source
  const { page, per_page, where, ...sort } = query
  const { owned, others, size } = await countParts(parts, source)
  const total = owned + others
  const offset = pageOffset(page, per_page)
  const wanted = Math.min(per_page, total - offset)
  if (wanted <= 0) return { rows: [], total }
  const bounds = { limit: per_page, offset }
  const visits = Math.ceil(((offset + per_page) / total) * size * VISIT_MARGIN)
  // Otherwise the first rows are found by sorting the whole table.
  if (findSortColumn(sort) !== undefined && visits <= Math.min(total, MAX_VISITS)) {
    entryBudget?.take(visits)
    const values = { ...source.bindConditions(where), ...bounds, visits }
    const rows = await source.queryRows(statements.alternatives.pageAmongFirst(where, sort), values)
    if (rows.length === wanted) return { rows, total }
  }
  entryBudget?.take(owned)
  const values = { ...bindParts(parts, source), ...bounds }
  return { rows: await source.queryRows(statements.alternatives.page(parts, sort), values), total }
}

/** Numbers of rows: of the parts that are those of owners, of the other parts, and of the whole table. */
async function countParts(parts: readonly Conditions[], source: ListSource) {
  const { statements, dialect, queryRows } = source
  const isCounted = RULED_KINDS.some((kind) => kind === source.table.name)
  const ownersOf = (part: Conditions) => (isCounted ? findOwners(part) : undefined)
  const owners = parts.flatMap((part) => ownersOf(part) ?? []).map((owner) => owner ?? NO_OWNER)
  const otherParts = parts.filter((part) => !ownersOf(part))
  await reserveParts(otherParts, source)
  const [[counted], [others]] = await Promise.all([
    queryRows(statements.alternatives.countedRows(), { owners: dialect.encodeList(owners) }),
    otherParts.length > 0
      ? queryRows(statements.alternatives.count(otherParts), bindParts(otherParts, source))
      : [{ total: 0 }],
  ])
  return {
    owned: Number(counted!['total']),
    others: Number(others!['total']),
    size: Number(counted!['size']),
  }
}

function bindParts(parts: readonly Conditions[], { bindConditions }: ListSource): NamedValues {
  return Object.assign({}, ...parts.map((where, index) => bindConditions(where, partName(index))))
}

/** The index of the first condition of a part finds its rows. */
async function reserveParts(
  parts: readonly Conditions[],
  { statements, entryBudget, bindConditions, queryRows }: ListSource,
): Promise<void> {
  if (!entryBudget) return
  for (const part of parts) {
    const first = part.slice(0, 1)
    const values = { ...bindConditions(first), most: entryBudget.remaining + 1 }
    const [result] = await queryRows(statements.countUpTo(first), values)
    entryBudget.take(Number(result!['total']))
  }
}
