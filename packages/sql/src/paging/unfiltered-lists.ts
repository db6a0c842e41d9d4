import { type ListQuery, SHALLOW_PAGE_LIMIT } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { EntryBudget } from '../entry-budget.ts'
import { type PageSort, reverseSort } from '../statements/sort.ts'
import type { Statement } from '../statements/statement.ts'
import type { StoredRecord } from '../statements/table-shape.ts'
import type { SearchStatements } from './search-statements.ts'

/**
 * From this offset on, it is cheaper to find the ids of a page in the index first and then to read its rows.
 */
const DEEP_OFFSET = 1000

type QueryRows = (statement: Statement, values: Readonly<Record<string, unknown>>) => Promise<readonly Row[]>

/**
 * Lists without conditions on a counted table. A page is scanned from the nearer end: the reverse order
 * yields the same rows backwards, including nulls and ties.
 */
export function createUnfilteredList(statements: SearchStatements, { isJoinFaster }: Dialect) {
  return async (
    { page, per_page, where: _, ...sort }: ListQuery<StoredRecord>,
    queryRows: QueryRows,
    entryBudget?: EntryBudget,
  ) => {
    const offset = pageOffset(page, per_page)

    async function readLiveTotal(): Promise<number> {
      const [result] = await queryRows(statements.liveTotal(), {})
      return Number(result!['total'])
    }

    function readPage(pageSort: PageSort, skip: number, limit: number): Promise<readonly Row[]> {
      return queryRows(
        skip >= DEEP_OFFSET ? statements.deepPage(pageSort) : statements.page({ where: [], ...pageSort }),
        { limit, offset: skip },
      )
    }

    if (offset <= SHALLOW_PAGE_LIMIT && isJoinFaster) {
      // For so few rows a scan costs no more than reading the total first. One statement sees one snapshot,
      // also outside a transaction.
      const pageRows = await queryRows(statements.pageWithTotal(sort), {
        limit: per_page,
        offset,
      })
      return splitTotal(pageRows) ?? { rows: [], total: await readLiveTotal() }
    }
    if (offset <= SHALLOW_PAGE_LIMIT) {
      const [pageRows, total] = await Promise.all([readPage(sort, offset, per_page), readLiveTotal()])
      return { rows: pageRows, total }
    }
    const total = await readLiveTotal()
    const limit = Math.min(per_page, total - offset)
    if (limit <= 0) return { rows: [], total }
    const rowsAfter = total - offset - limit
    entryBudget?.take(Math.min(offset, rowsAfter))
    if (offset <= rowsAfter) return { rows: await readPage(sort, offset, limit), total }
    const reversedRows = await readPage(reverseSort(sort), rowsAfter, limit)
    return { rows: reversedRows.toReversed(), total }
  }
}

export interface RowsAndTotal {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Separates the rows of a page from the total in each of them. `undefined` if the page is empty. */
export function splitTotal(rows: readonly Row[]): RowsAndTotal | undefined {
  const [first] = rows
  return first && { rows: rows.map(({ total: _, ...row }) => row), total: Number(first['total']) }
}

/** Beyond the end of any table, and still an integer for every driver. */
export function pageOffset(page: number, perPage: number): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
}
