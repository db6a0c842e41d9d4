import type { Counting } from '@sales-crm/sql'
import { sql } from 'kysely'

/** One row for each table of each workspace: nobody else writes meanwhile. */
export const counting: Counting = {
  tableOptions: 'without rowid',
  needed: [],
  triggersOf(table) {
    const trigger = (name: string, event: string, when: string, row: 'new' | 'old', by: 1 | -1) =>
      sql`create trigger ${sql.id(`${table}_live_${name}`)} after ${sql.raw(event)} on ${sql.table(table)} when ${sql.raw(when)} begin
        insert into live_rows values (${sql.ref(`${row}.workspace_id`)}, ${sql.lit(table)}, 0, ${sql.lit(by)})
        on conflict do update set total = total + excluded.total; end`
    return [
      trigger('insert', 'insert', 'new.deleted_at is null', 'new', 1),
      trigger('remove', 'update of deleted_at', 'new.deleted_at is not null and old.deleted_at is null', 'old', -1),
      trigger('restore', 'update of deleted_at', 'new.deleted_at is null and old.deleted_at is not null', 'new', 1),
      trigger('delete', 'delete', 'old.deleted_at is null', 'old', -1),
    ]
  },
}
