import { type Tables, uniqueIndexName } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'
import { liveRowTriggers } from '../dialect/live-row-triggers.ts'
import { ownerRowTriggers } from '../dialect/owner-row-triggers.ts'

/**
 * Makes the tables of workspaces fit to be spread over servers. The functions and triggers of earlier versions cannot
 * count rows on the shards of a table.
 */
export async function prepareDistribution(db: Kysely<Tables>): Promise<void> {
  await replaceTriggers(db, 'live_rows_came', liveRowTriggers)
  await replaceTriggers(db, 'owner_rows_came', ownerRowTriggers)
  const usagePeriods = sql.id(uniqueIndexName('usage_logs', 'period'))
  await sql`drop index ${usagePeriods}`.execute(db)
  await sql`create unique index ${usagePeriods} on usage_logs (workspace_id, period) where deleted_at is null`.execute(
    db,
  )
}

/** @param countingFunction the function that a trigger of each counted table calls */
async function replaceTriggers(
  db: Kysely<Tables>,
  countingFunction: string,
  { functions, createTriggers }: typeof ownerRowTriggers,
): Promise<void> {
  for (const statement of functions) await statement.execute(db)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgfoid = to_regproc(${countingFunction}) order by relname`.execute(db)
  for (const { name } of rows) for (const trigger of createTriggers(name)) await trigger.execute(db)
}
