import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'

/** An unlogged table: the counts need not survive a crash. */
export async function createRateWindows(db: Kysely<Tables>): Promise<void> {
  await sql`create unlogged table rate_windows (key text primary key, used integer not null, closes_at timestamptz not null)`.execute(
    db,
  )
}
