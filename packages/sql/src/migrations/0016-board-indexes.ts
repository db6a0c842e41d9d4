import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'

/** Indexes for lists of deals by amount, forecast and time of closing, and for boards. */
export async function createBoardIndexes(db: Kysely<Tables>, { nullsFirst }: Dialect): Promise<void> {
  const sorted = (column: string) => `${column} ${nullsFirst}, id, deleted_at`
  const createIndex = (table: string, name: string, ...columns: string[]) =>
    sql`create index ${sql.id(`${table}_${name}`)} on ${sql.id(table)}
      (workspace_id, ${sql.raw(columns.join(', '))}) where deleted_at is null`.execute(db)
  await createIndex('deals', 'by_amount', sorted('amount'))
  await createIndex('deals', 'by_forecast_date', sorted('forecast_date'))
  await createIndex('deals', 'by_closed_at', sorted('closed_at'))
  // With what a sum reads, so that it reads no rows.
  await createIndex('deals', 'of_stage_by_amount', 'stage_id', sorted('amount'), 'currency')
  await createIndex('deals', 'of_stage_by_closed_at', 'stage_id', sorted('closed_at'), 'currency', 'amount')
  await createIndex('tasks', 'of_deal_by_due_date', 'deal_id', 'completed', sorted('due_date'))
}
