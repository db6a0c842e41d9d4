import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'

const COUNTED_TABLES = [
  'companies',
  'custom_fields',
  'deals',
  'lists',
  'people',
  'pipelines',
  'products',
  'tags',
  'task_types',
  'tasks',
]

/** Number of live rows per table and workspace: the sum over `slot`, whose values are up to the database. */
export async function createLiveRows(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const { columnTypes, liveRowTriggers } = dialect
  const [uuid, text, integer] = [columnTypes.uuid, columnTypes.text, columnTypes.integer].map((type) =>
    sql.raw(type),
  )
  const run = (statement: RawBuilder<unknown>) => statement.execute(db)
  await run(sql`create table live_rows (workspace_id ${uuid} not null, table_name ${text} not null, slot ${integer} not null,
    total ${integer} not null, primary key (workspace_id, table_name, slot)) ${sql.raw(liveRowTriggers.tableOptions)}`)
  for (const statement of liveRowTriggers.functions) await run(statement)
  for (const table of COUNTED_TABLES) {
    // Triggers are created first: this waits for concurrent writers, and later writes are counted by the
    // triggers.
    for (const trigger of liveRowTriggers.createTriggers(table)) await run(trigger)
    await run(sql`insert into live_rows select workspace_id, ${sql.lit(table)}, 0, count(*) from ${sql.table(table)}
      where deleted_at is null group by workspace_id`)
  }
}
