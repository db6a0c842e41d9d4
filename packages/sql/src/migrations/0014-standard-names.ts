import type { Kysely } from 'kysely'
import type { Tables } from '../dialect.ts'
import { SEARCHED_TABLES } from './0003-associations.ts'

const RENAMED_TABLES = {
  codes: 'authorization_codes',
  lasting_windows: 'rate_limits',
  letters: 'queued_mail',
  links: 'one_time_links',
}

/**
 * Renames tables and columns to the names used in the code. Rows stay in place; both databases update indexes
 * and triggers.
 */
export async function renameToStandardNames(db: Kysely<Tables>): Promise<void> {
  for (const [table, name] of Object.entries(RENAMED_TABLES))
    await db.schema.alterTable(table).renameTo(name).execute()
  for (const table of SEARCHED_TABLES)
    await db.schema.alterTable(table).renameColumn('found_by', 'search_terms').execute()
}
