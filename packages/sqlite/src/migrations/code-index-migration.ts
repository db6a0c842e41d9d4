import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'

/** The tables of kinds with public codes. */
const CODED_TABLES = ['companies', 'deals', 'people'] as const

/**
 * Recreates the unique indexes of public codes without a condition. SQLite finds rows by a partial index only if it derives
 * the condition from the query, and `true` it does not.
 */
export async function recreateCodeIndexes(db: Kysely<Tables>): Promise<void> {
  for (const table of CODED_TABLES) {
    const index = sql.id(`${table}__entity_id`)
    await sql`drop index ${index}`.execute(db)
    await sql`create unique index ${index} on ${sql.table(table)} (workspace_id, entity_id)`.execute(db)
  }
}
