import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'
import { liveRowTriggers } from '../dialect/live-row-triggers.ts'
import { ownerRowTriggers } from '../dialect/owner-row-triggers.ts'

/** Replaces the functions and triggers that count rows: those of earlier versions cannot count on the shards of a table. */
export async function replaceRowCountTriggers(db: Kysely<Tables>): Promise<void> {
  await replaceTriggers(db, 'live_rows_came', liveRowTriggers)
  await replaceTriggers(db, 'owner_rows_came', ownerRowTriggers)
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
