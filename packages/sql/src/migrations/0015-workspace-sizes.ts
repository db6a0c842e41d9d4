import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { longTextBytes } from '../long-text-bytes.ts'

/** Those of this version: later tables create their triggers themselves. */
const LONG_TEXTS = {
  activities: 'content_html',
  companies: 'custom_values',
  deals: 'custom_values',
  files: 'content',
  people: 'custom_values',
  snapshots: 'entity',
} as const

/** Counts activities, and the bytes of each workspace's long texts: the sum of `total` over `slot`. */
export async function createWorkspaceSizes(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const { columnTypes, liveRowTriggers, longTextTriggers } = dialect
  const [uuid, integer] = [columnTypes.uuid, columnTypes.integer].map((type) => sql.raw(type))
  const run = (statement: RawBuilder<unknown>) => statement.execute(db)
  for (const trigger of liveRowTriggers.createTriggers('activities')) await run(trigger)
  await run(sql`insert into live_rows select workspace_id, 'activities', 0, count(*) from activities
    where deleted_at is null group by workspace_id`)
  await run(sql`create table long_texts (workspace_id ${uuid} not null, slot ${integer} not null,
    total ${integer} not null, primary key (workspace_id, slot)) ${sql.raw(liveRowTriggers.tableOptions)}`)
  for (const [table, column] of Object.entries(LONG_TEXTS)) {
    // As in migration 0009, triggers are created first.
    for (const trigger of longTextTriggers(table, column)) await run(trigger)
    await run(sql`insert into long_texts
      select workspace_id, 0, sum(${longTextBytes(table, column)}) from ${sql.table(table)} group by workspace_id
      on conflict (workspace_id, slot) do update set total = long_texts.total + excluded.total`)
  }
}
