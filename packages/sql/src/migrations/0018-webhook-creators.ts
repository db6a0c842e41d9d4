import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/** The client id of the console, as it was in this version. */
const CONSOLE_CLIENT_ID = '00000000-0000-8000-8000-000000000001'

/** Adds who created a webhook. Those of the console become the oldest owner's: its creator was not stored. */
export async function addWebhookCreators(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table webhooks add column creator_user_id ${columnType('uuid', dialect)}`.execute(db)
  const oldestOwner = sql`select id from members where members.workspace_id = webhooks.workspace_id and role = 'owner'
    and removed_at is null and deleted_at is null order by created_at, id limit 1`
  await sql`update webhooks set creator_user_id = (${oldestOwner}) where client_id = ${sql.lit(CONSOLE_CLIENT_ID)}`.execute(
    db,
  )
}
