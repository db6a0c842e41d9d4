import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Dialect, NO_OWNER, type Tables } from '../dialect.ts'

/** The tables of the kinds with a rule, in the order in which writes use them. */
const TABLES = ['tasks', 'deals', 'people', 'companies'] as const

/**
 * Number of live rows per owner, of `NO_OWNER` for those of nobody: the sum over `slot`, as in `live_rows`. What a member
 * sees of others is counted by it.
 */
export async function createOwnerRows(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const { columnTypes, liveRowTriggers, ownerRowTriggers } = dialect
  const [uuid, text, integer] = [columnTypes.uuid, columnTypes.text, columnTypes.integer].map((type) =>
    sql.raw(type),
  )
  const run = (statement: RawBuilder<unknown>) => statement.execute(db)
  await run(sql`create table owner_rows (workspace_id ${uuid} not null, table_name ${text} not null,
    owner_user_id ${uuid} not null, slot ${integer} not null, total ${integer} not null,
    primary key (workspace_id, table_name, owner_user_id, slot)) ${sql.raw(liveRowTriggers.tableOptions)}`)
  for (const statement of ownerRowTriggers.functions) await run(statement)
  for (const table of TABLES) {
    // As in migration 0009, triggers are created first.
    for (const trigger of ownerRowTriggers.createTriggers(table)) await run(trigger)
    await run(sql`insert into owner_rows
      select workspace_id, ${sql.lit(table)}, coalesce(owner_user_id, ${sql.lit(NO_OWNER)}), 0, count(*)
      from ${sql.table(table)} where deleted_at is null group by workspace_id, owner_user_id`)
  }
}
