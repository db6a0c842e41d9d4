import { type Dialect, longTextBytes } from '@sales-crm/sql'
import { sql } from 'kysely'

/** The conditions of the triggers are evaluated without a call, so that a short text costs almost nothing. */
export const longTextTriggers: Dialect['longTextTriggers'] = (table, column) => {
  const [before, after] = [longTextBytes('old', column), longTextBytes('new', column)]
  const countingFunction = sql.id(`long_texts_of_${table}`)
  const trigger = (event: string, condition: unknown) =>
    sql`create trigger ${sql.id(`${table}_text_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
      for each row when (${condition}) execute function ${countingFunction}()`
  return [
    // The record that an event lacks is null.
    sql`create function ${countingFunction}() returns trigger language plpgsql as $$
      declare mine integer := live_rows_slot();
      begin
        insert into long_texts
          values (coalesce(new.workspace_id, old.workspace_id), mine, (${after}) - (${before}))
          on conflict (workspace_id, slot) do update set total = long_texts.total + excluded.total;
        return null;
      end $$`,
    trigger('insert', sql`${after} > 0`),
    trigger('update', sql`${after} <> ${before}`),
    trigger('delete', sql`${before} > 0`),
  ]
}
