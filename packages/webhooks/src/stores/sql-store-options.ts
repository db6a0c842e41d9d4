/** Options of `postgresStore` and `sqliteStore`. */
export interface SqlStoreOptions {
  /** Created if missing. `processed_webhook_ids` by default. */
  readonly table?: string
  /** Days for which ids are remembered, at least 31. 35 by default. */
  readonly retentionDays?: number
}

/** Expired ids are deleted after the first event of a store and every hundredth after it. */
export const EVENTS_PER_PURGE = 100
/** Maximum ids deleted at a time: ten times as many as are added in between. */
export const PURGE_LIMIT = 1000

const DEFAULT_TABLE = 'processed_webhook_ids'
const DEFAULT_RETENTION_DAYS = 35
/** The service sends a delivery again for 30 days. */
const MIN_RETENTION_DAYS = 31
/** With the suffix of the index, names have PostgreSQL's maximum length of 63. */
const TABLE = /^[a-z_][a-z0-9_]{0,49}$/
const INDEX_SUFFIX = '_processed_at'

/**
 * Returns the names of the table and of its index, quoted, and the retention.
 * @throws TypeError that names the option and the rule it breaks
 */
export function validateSqlOptions({
  table = DEFAULT_TABLE,
  retentionDays = DEFAULT_RETENTION_DAYS,
}: SqlStoreOptions): { readonly table: string; readonly index: string; readonly retentionDays: number } {
  if (typeof table !== 'string' || !TABLE.test(table))
    throw new TypeError(
      'table must consist of a-z, 0-9 and _, start with no digit, and have at most 50 characters.',
    )
  if (!Number.isSafeInteger(retentionDays) || retentionDays < MIN_RETENTION_DAYS)
    throw new TypeError(
      `retentionDays must be a whole number of at least ${MIN_RETENTION_DAYS}: ` +
        'a delivery can be sent again for 30 days.',
    )
  return { table: `"${table}"`, index: `"${table}${INDEX_SUFFIX}"`, retentionDays }
}
