import { type Kysely, sql } from 'kysely'
import type { Tables } from '../dialect.ts'

/** Adds what a view groups its records by. */
export async function addViewGroups(db: Kysely<Tables>): Promise<void> {
  await sql`alter table views add column group_by text`.execute(db)
}
