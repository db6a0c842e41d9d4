import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, Tables } from '../dialect.ts'

/** Indexes for lists of deals by amount and by time of closing. */
export function dealOrders({ nullsFirst }: Dialect): Migration {
  return {
    async up(db: Kysely<Tables>) {
      for (const column of ['amount', 'forecast_date', 'closed_at'])
        await sql`create index ${sql.id(`deals_by_${column}`)} on deals
          (workspace_id, ${sql.raw(`${column} ${nullsFirst}`)}, id, deleted_at) where deleted_at is null`.execute(
          db,
        )
    },
  }
}
