import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/**
 * Adds when a task was completed: for tasks from before, the time of their last change. The column is null for a task
 * that an older process completes meanwhile.
 */
export async function addTaskCompletions(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table tasks add column completed_at ${columnType('instant', dialect)}`.execute(db)
  await sql`update tasks set completed_at = coalesce(updated_at, created_at) where completed`.execute(db)
}
