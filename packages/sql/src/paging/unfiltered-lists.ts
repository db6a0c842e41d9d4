import { type ListQuery, SHALLOW_PAGE_LIMIT } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import type { RecordStatements } from '../statements/record-statements.ts'
import type { Statement } from '../statements/statement.ts'
import type { StoredRecord } from '../statements/table-shape.ts'

/** From here on it costs less to find the ids of a page in the index, and then its rows. */
const DEEP_OFFSET = 1000

type QueryRows = (statement: Statement, values: Readonly<Record<string, unknown>>) => Promise<readonly Row[]>

/**
 * Lists without conditions of a table whose total is kept. A page is walked to from the end it is nearer to:
 * the opposite order is the same one backwards, nulls and ties too.
 */
export function createUnfilteredList(statements: RecordStatements, { isJoinFaster }: Dialect) {
  return async (
    { page, per_page, order_by, order, omit = [] }: ListQuery<StoredRecord>,
    queryRows: QueryRows,
  ) => {
    const offset = pageOffset(page, per_page)

    async function readLiveTotal(): Promise<number> {
      const [result] = await queryRows(statements.liveTotal(), {})
      return Number(result!['total'])
    }

    function readPage(direction: 'asc' | 'desc', skip: number, limit: number): Promise<readonly Row[]> {
      const sort = { order_by, order: direction, omit }
      return queryRows(
        skip >= DEEP_OFFSET ? statements.deepPage(sort) : statements.page({ where: [], ...sort }),
        {
          limit: limit,
          offset: skip,
        },
      )
    }

    if (offset <= SHALLOW_PAGE_LIMIT && isJoinFaster) {
      // To walk over so few rows costs no more than to learn first from which end there are fewer; one
      // statement is of one moment, in a glance too.
      const pageRows = await queryRows(statements.pageWithTotal({ order_by, order, omit }), {
        limit: per_page,
        offset,
      })
      return splitTotal(pageRows) ?? { rows: [], total: await readLiveTotal() }
    }
    if (offset <= SHALLOW_PAGE_LIMIT) {
      const [pageRows, total] = await Promise.all([readPage(order, offset, per_page), readLiveTotal()])
      return { rows: pageRows, total }
    }
    const total = await readLiveTotal()
    const limit = Math.min(per_page, total - offset)
    if (limit <= 0) return { rows: [], total }
    const rowsAfter = total - offset - limit
    if (offset <= rowsAfter) return { rows: await readPage(order, offset, limit), total }
    const reversedRows = await readPage(order === 'asc' ? 'desc' : 'asc', rowsAfter, limit)
    return { rows: reversedRows.toReversed(), total }
  }
}

/** The rows of a totalled page apart from its total. `undefined` where there is no row to have it. */
export function splitTotal([first, ...otherRows]: readonly Row[]):
  | { readonly rows: readonly Row[]; readonly total: number }
  | undefined {
  if (!first) return undefined
  const { total, ...row } = first
  return { rows: [row, ...otherRows], total: Number(total) }
}

/** Far past any table's end, and still a whole number to every driver. */
export function pageOffset(page: number, perPage: number): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
}
