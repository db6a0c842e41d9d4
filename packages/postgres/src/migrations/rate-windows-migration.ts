import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An unlogged table: the counts need not survive a crash. */
export const rateWindowsMigration: Migration = {
  async up(db: Kysely<Tables>) {
    await sql`create unlogged table rate_windows (key text primary key, used integer not null, closes_at timestamptz not null)`.execute(
      db,
    )
  },
}
