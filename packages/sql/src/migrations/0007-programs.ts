import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, Tables } from '../dialect.ts'

/** What tokens are for: until now, for the whole interface. */
export function programs(_dialect: Dialect): Migration {
  return {
    async up(db: Kysely<Tables>) {
      for (const table of ['authorizations', 'codes', 'grants']) {
        await sql`alter table ${sql.table(table)} add column audience text not null default 'interface'`.execute(db)
      }
    },
  }
}
