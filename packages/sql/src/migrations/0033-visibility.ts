import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/** The tables of the kinds with a rule. */
const TABLES = ['people', 'companies', 'deals', 'tasks'] as const

const EVERYONE = '{"people":"everyone","companies":"everyone","deals":"everyone","tasks":"everyone"}'

/**
 * Adds who sees the records of others, with whom each is shared, and what the events are of. Until this version all saw
 * all.
 */
export async function addVisibility(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const column = (kind: string) => columnType(kind, dialect)
  await sql`alter table workspaces add column visibility ${column(`json not null default '${EVERYONE}'`)}`.execute(
    db,
  )
  await sql`alter table snapshots add column subject ${column('json')}`.execute(db)
  for (const table of TABLES)
    await sql`alter table ${sql.table(table)} add column shares ${column(`json not null default '[]'`)}`.execute(
      db,
    )
}
