import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counts that need not survive a crash, and so cost no log. */
export const rateWindowsMigration: Migration = {
  async up(db: Kysely<Tables>) {
    await sql`create unlogged table rate_windows (key text primary key, used integer not null, closes_at timestamptz not null)`.execute(
      db,
    )
  },
}
