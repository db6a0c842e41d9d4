import type { LiveRowTriggers } from '@sales-crm/sql'
import { type RawBuilder, sql } from 'kysely'

/** So many transactions count at once without looking for a free slot. */
const SLOTS = 64
/** The locks below under a number of their own. Nothing else here takes locks of two numbers. */
const LOCK_NAMESPACE = 1_179_797

/**
 * A transaction counts in a slot that is its own until it ends: none ever waits for another, nor do two that
 * write the same tables in opposite order lock each other out. Rows that one statement inserts or deletes are
 * counted together; those whose `deleted_at` changes one by one, since to be told of all rows that are
 * updated would cost every update.
 */
export const liveRowTriggers: LiveRowTriggers = {
  // With room on the page for its next version, a row that is updated costs the index nothing.
  tableOptions: 'with (fillfactor = 50)',
  functions: [
    sql.raw(`create function live_rows_slot() returns integer language plpgsql as $$
      declare mine integer := pg_backend_pid() % ${SLOTS};
      begin
        while not pg_try_advisory_xact_lock(${LOCK_NAMESPACE}, mine) loop mine := mine + ${SLOTS}; end loop;
        return mine;
      end $$`),
    countingFunction(
      'came',
      'select workspace_id, tg_table_name, mine, count(*) from those where deleted_at is null group by workspace_id',
    ),
    countingFunction(
      'gone',
      'select workspace_id, tg_table_name, mine, -count(*) from those where deleted_at is null group by workspace_id',
    ),
    countingFunction(
      'changed',
      'values (new.workspace_id, tg_table_name, mine, case when new.deleted_at is null then 1 else -1 end)',
    ),
    sql.raw(`create function live_rows_emptied() returns trigger language plpgsql as $$
      begin
        delete from live_rows where table_name = tg_table_name;
        return null;
      end $$`),
  ],
  createTriggers(table) {
    const trigger = (name: string, event: string, action: string) =>
      sql`create trigger ${sql.id(`${table}_live_${name}`)} after ${sql.raw(event)} on ${sql.table(table)}
        ${sql.raw(action)} execute function ${sql.id(`live_rows_${name}`)}()`
    return [
      trigger('came', 'insert', 'referencing new table as those for each statement'),
      trigger('gone', 'delete', 'referencing old table as those for each statement'),
      trigger(
        'changed',
        'update of deleted_at',
        'for each row when ((old.deleted_at is null) <> (new.deleted_at is null))',
      ),
      trigger('emptied', 'truncate', 'for each statement'),
    ]
  },
}

/** A trigger function that adds `counted`, rows as `live_rows` has them, to what is there. */
function countingFunction(name: string, delta: string): RawBuilder<unknown> {
  return sql.raw(`create function live_rows_${name}() returns trigger language plpgsql as $$
    declare mine integer := live_rows_slot();
    begin
      insert into live_rows ${delta}
        on conflict (workspace_id, table_name, slot) do update set total = live_rows.total + excluded.total;
      return null;
    end $$`)
}
