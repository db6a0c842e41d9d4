import type { LiveRowTriggers } from '@sales-crm/sql'
import { sql } from 'kysely'

/** One counter row per table and workspace: SQLite has one writer, so counters cause no contention. */
export const liveRowTriggers: LiveRowTriggers = {
  tableOptions: 'without rowid',
  functions: [],
  createTriggers(table) {
    const trigger = (name: string, event: string, condition: string, row: 'new' | 'old', delta: 1 | -1) =>
      sql`create trigger ${sql.id(`${table}_live_${name}`)} after ${sql.raw(event)} on ${sql.table(table)} when ${sql.raw(condition)} begin
        insert into live_rows values (${sql.ref(`${row}.workspace_id`)}, ${sql.lit(table)}, 0, ${sql.lit(delta)})
        on conflict do update set total = total + excluded.total; end`
    return [
      trigger('insert', 'insert', 'new.deleted_at is null', 'new', 1),
      trigger(
        'remove',
        'update of deleted_at',
        'new.deleted_at is not null and old.deleted_at is null',
        'old',
        -1,
      ),
      trigger(
        'restore',
        'update of deleted_at',
        'new.deleted_at is null and old.deleted_at is not null',
        'new',
        1,
      ),
      trigger('delete', 'delete', 'old.deleted_at is null', 'old', -1),
    ]
  },
}
