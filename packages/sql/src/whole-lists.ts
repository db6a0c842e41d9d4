import { type ListQuery, NEAR } from '@sales-crm/core/ports'
import type { Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import type { RecordStatements, Stored } from './record-statements.ts'
import type { Statement } from './statement.ts'

/** From here on it costs less to find the ids of a page in the index, and then its rows. */
const FAR = 1000

type Rows = (statement: Statement, values: Readonly<Record<string, unknown>>) => Promise<readonly Row[]>

/**
 * Lists without conditions of a table whose total is kept. A page is walked to from the end it is nearer to: the opposite order is the
 * same one backwards, nulls and ties too.
 */
export function wholeLists(statements: RecordStatements, { readsAlong }: Dialect) {
  return async ({ page, per_page, order_by, order, unread = [] }: ListQuery<Stored>, rows: Rows) => {
    const offset = offsetOf(page, per_page)

    async function keptTotal(): Promise<number> {
      const [kept] = await rows(statements.keptTotal(), {})
      return Number(kept!['total'])
    }

    function walk(way: 'asc' | 'desc', skipped: number, most: number): Promise<readonly Row[]> {
      const by = { order_by, order: way, unread }
      return rows(skipped >= FAR ? statements.farPage(by) : statements.page({ where: [], ...by }), { limit: most, offset: skipped })
    }

    if (offset <= NEAR && readsAlong) {
      // To walk over so few rows costs no more than to learn first from which end there are fewer; one statement is of one moment, in a glance too.
      const found = await rows(statements.totalledPage({ order_by, order, unread }), { limit: per_page, offset })
      return parted(found) ?? { rows: [], total: await keptTotal() }
    }
    if (offset <= NEAR) {
      const [found, total] = await Promise.all([walk(order, offset, per_page), keptTotal()])
      return { rows: found, total }
    }
    const total = await keptTotal()
    const most = Math.min(per_page, total - offset)
    if (most <= 0) return { rows: [], total }
    const behind = total - offset - most
    if (offset <= behind) return { rows: await walk(order, offset, most), total }
    const backwards = await walk(order === 'asc' ? 'desc' : 'asc', behind, most)
    return { rows: backwards.toReversed(), total }
  }
}

/** The rows of a totalled page apart from its total. `undefined` where there is no row to have it. */
export function parted([first, ...others]: readonly Row[]): { readonly rows: readonly Row[]; readonly total: number } | undefined {
  if (!first) return undefined
  const { total, ...row } = first
  return { rows: [row, ...others], total: Number(total) }
}

/** Far past any table's end, and still a whole number to every driver. */
export function offsetOf(page: number, perPage: number): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
}
