import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/**
 * Adds whether a member has joined, and the members of open invitations, who have not. Until this version all had. Those
 * whom a process of an older version invites meanwhile have no row until they join.
 */
export async function addInvitedMembers(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const hasJoined = columnType('boolean not null default true', dialect)
  await sql`alter table members add column has_joined ${hasJoined}`.execute(db)
  await sql`insert into members (workspace_id, id, role, removed_at, has_joined, created_at, updated_at)
    select workspace_id, user_id, min(role), min(created_at), false, min(created_at), min(updated_at) from invitations
    where deleted_at is null and not exists (
      select 1 from members where members.workspace_id = invitations.workspace_id and members.id = invitations.user_id
    ) group by workspace_id, user_id`.execute(db)
}
