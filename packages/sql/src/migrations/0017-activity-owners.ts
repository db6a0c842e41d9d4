import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'

/** An index for counts of activities by owner, which would otherwise read their texts. */
export async function createActivityOwnerIndex(db: Kysely<Tables>, { nullsFirst }: Dialect): Promise<void> {
  await sql`create index activities_of_owner_user_id on activities
    (workspace_id, owner_user_id, created_at ${sql.raw(nullsFirst)}, id, deleted_at) where deleted_at is null`.execute(
    db,
  )
}
