import type { LiveRowTriggers } from '@sales-crm/sql'
import { type RawBuilder, sql } from 'kysely'

/** Number of counter slots per table: up to as many transactions count without searching for a free one. */
const SLOTS = 64
/** The first key of the advisory locks below. No other code takes two-key locks. */
const LOCK_NAMESPACE = 1_179_797

/**
 * Each transaction counts in a slot that it holds until it ends, so counting causes neither waits nor
 * deadlocks. Rows inserted or deleted by one statement are counted together. Changes of `deleted_at` are
 * counted per row, because a transition table would cost every update.
 */
export const liveRowTriggers: LiveRowTriggers = {
  // Leaves room on the page for the next version of a row, so an update does not touch the index.
  tableOptions: 'with (fillfactor = 50)',
  functions: [
    sql.raw(`create or replace function live_rows_slot() returns integer language plpgsql as $$
      declare mine integer := pg_backend_pid() % ${SLOTS};
      begin
        while not pg_try_advisory_xact_lock(${LOCK_NAMESPACE}, mine) loop mine := mine + ${SLOTS}; end loop;
        return mine;
      end $$`),
    countingFunction(
      'came',
      'select workspace_id, count(*) as delta from those where deleted_at is null group by workspace_id',
    ),
    countingFunction(
      'gone',
      'select workspace_id, -count(*) as delta from those where deleted_at is null group by workspace_id',
    ),
    countingFunction(
      'changed',
      'select new.workspace_id, case when new.deleted_at is null then 1 else -1 end as delta',
    ),
    sql.raw(`create or replace function live_rows_emptied() returns trigger language plpgsql as $$
      begin
        delete from live_rows where table_name = tg_argv[0];
        return null;
      end $$`),
  ],
  createTriggers(table) {
    const trigger = (name: string, event: string, action: string) =>
      sql`create or replace trigger ${sql.id(`${table}_live_${name}`)} after ${sql.raw(event)} on ${sql.table(table)}
        ${sql.raw(action)} execute function ${sql.id(`live_rows_${name}`)}(${sql.lit(table)})`
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

/**
 * Creates a trigger function that adds the rows of `deltas` to the counters. On a shard the name of the table is another,
 * so it is an argument of the trigger, and a statement may only insert values.
 * @param deltas a query of `workspace_id` and `delta`
 */
function countingFunction(name: string, deltas: string): RawBuilder<unknown> {
  return sql.raw(`create or replace function live_rows_${name}() returns trigger language plpgsql as $$
    declare
      mine integer := live_rows_slot();
      counted record;
    begin
      for counted in ${deltas} loop
        insert into live_rows values (counted.workspace_id, tg_argv[0], mine, counted.delta)
          on conflict (workspace_id, table_name, slot) do update set total = live_rows.total + excluded.total;
      end loop;
      return null;
    end $$`)
}
