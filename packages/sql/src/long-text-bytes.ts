import { MIN_LONG_TEXT_BYTES } from '@sales-crm/core/ports'
import { type RawBuilder, sql } from 'kysely'

/**
 * An expression for the bytes of a column that is counted as a long text; 0 for a shorter text and for null.
 *
 * @param row the name of a table, or `old` or `new` in a trigger
 */
export function longTextBytes(row: string, column: string): RawBuilder<number> {
  const bytes = sql`octet_length(cast(${sql.ref(`${row}.${column}`)} as text))`
  return sql`case when ${bytes} >= ${sql.lit(MIN_LONG_TEXT_BYTES)} then ${bytes} else 0 end`
}
