import { NO_OWNER, type OwnerRowTriggers } from '@sales-crm/sql'
import { type RawBuilder, sql } from 'kysely'

const OWNER = `coalesce(owner_user_id, '${NO_OWNER}')`

/** As `liveRowTriggers`, in the same slots, with a counter row for each owner. */
export const ownerRowTriggers: OwnerRowTriggers = {
  functions: [
    countingFunction('came', countRows('1')),
    countingFunction('gone', countRows('-1')),
    countingFunction(
      'changed',
      `select row.workspace_id, ${OWNER} as owner, delta
        from (values (old.workspace_id, old.owner_user_id, old.deleted_at, -1),
          (new.workspace_id, new.owner_user_id, new.deleted_at, 1))
        as row (workspace_id, owner_user_id, deleted_at, delta) where row.deleted_at is null`,
    ),
    sql.raw(`create or replace function owner_rows_emptied() returns trigger language plpgsql as $$
      begin
        delete from owner_rows where table_name = tg_argv[0];
        return null;
      end $$`),
  ],
  createTriggers(table) {
    const trigger = (name: string, event: string, action: string) =>
      sql`create or replace trigger ${sql.id(`${table}_owner_${name}`)} after ${sql.raw(event)} on ${sql.table(table)}
        ${sql.raw(action)} execute function ${sql.id(`owner_rows_${name}`)}(${sql.lit(table)})`
    const isChanged =
      'old.owner_user_id is distinct from new.owner_user_id or (old.deleted_at is null) <> (new.deleted_at is null)'
    return [
      trigger('came', 'insert', 'referencing new table as those for each statement'),
      trigger('gone', 'delete', 'referencing old table as those for each statement'),
      trigger('changed', 'update of owner_user_id, deleted_at', `for each row when (${isChanged})`),
      trigger('emptied', 'truncate', 'for each statement'),
    ]
  },
}

function countRows(factor: '1' | '-1'): string {
  return `select workspace_id, ${OWNER} as owner, ${factor} * count(*) as delta from those
    where deleted_at is null group by workspace_id, owner_user_id`
}

/**
 * Creates a trigger function that adds the rows of `deltas` to the counters.
 * @param deltas a query of `workspace_id`, `owner` and `delta`
 */
function countingFunction(name: string, deltas: string): RawBuilder<unknown> {
  return sql.raw(`create or replace function owner_rows_${name}() returns trigger language plpgsql as $$
    declare
      mine integer := live_rows_slot();
      counted record;
    begin
      for counted in ${deltas} loop
        insert into owner_rows values (counted.workspace_id, tg_argv[0], counted.owner, mine, counted.delta)
          on conflict (workspace_id, table_name, owner_user_id, slot)
          do update set total = owner_rows.total + excluded.total;
      end loop;
      return null;
    end $$`)
}
