import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/** Adds the people of a deal with their roles, and the companies of a person, beside the main ones. */
export async function addLinkLists(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const add = (table: string, column: string, kind: string) =>
    sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${columnType(kind, dialect)}`.execute(
      db,
    )
  await add('deals', 'person_role', 'text')
  await add('deals', 'other_people', `json not null default '[]'`)
  await add('people', 'other_companies', `json not null default '[]'`)
}
