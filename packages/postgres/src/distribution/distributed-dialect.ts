import type { Dialect } from '@sales-crm/sql'
import { postgresDialect } from '../dialect/postgres-dialect.ts'
import { createTermIndex } from '../dialect/term-index.ts'

/** For tables that Citus spreads over servers by workspace. */
export const distributedDialect: Dialect = {
  ...postgresDialect,
  isDistributed: true,
  termIndex: createTermIndex({ isDistributed: true }),
  // Citus copies the rows of a query to the shards, and a failed copy has no SQLSTATE.
  bulkInsert: undefined,
  maxBulkRows: 64,
}
