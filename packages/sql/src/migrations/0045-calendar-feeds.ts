import { type Kysely, sql } from 'kysely'
import type { Tables } from '../dialect.ts'

/** Adds the hash of the address of a member's calendar. */
export async function addCalendarFeeds(db: Kysely<Tables>): Promise<void> {
  await sql`alter table members add column calendar_hash text`.execute(db)
}
