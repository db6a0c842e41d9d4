import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/** The tables of the kinds with a rule. */
const TABLES = ['tasks', 'deals', 'people', 'companies'] as const

const EVERYONE = '{"people":"everyone","companies":"everyone","deals":"everyone","tasks":"everyone"}'

/**
 * Adds who sees the records of others, with whom each is shared, and what the events are of. Until this version all saw
 * all.
 */
export async function addVisibility(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const add = (table: string, column: string, kind: string) =>
    sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${columnType(kind, dialect)}`.execute(
      db,
    )
  // In the order in which writes use them: the other way round waits for writes that wait for this.
  for (const table of TABLES) await add(table, 'shares', `json not null default '[]'`)
  await add('snapshots', 'subject', 'json')
  await add('workspaces', 'visibility', `json not null default '${EVERYONE}'`)
}
