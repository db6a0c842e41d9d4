import { NO_OWNER, type OwnerRowTriggers } from '@sales-crm/sql'
import { sql } from 'kysely'

/** As `liveRowTriggers`, with a counter row for each owner. */
export const ownerRowTriggers: OwnerRowTriggers = {
  functions: [],
  createTriggers(table) {
    const count = (row: 'new' | 'old', delta: 1 | -1) =>
      sql`insert into owner_rows select ${sql.ref(`${row}.workspace_id`)}, ${sql.lit(table)},
        ifnull(${sql.ref(`${row}.owner_user_id`)}, ${sql.lit(NO_OWNER)}), 0, ${sql.lit(delta)}
        where ${sql.ref(`${row}.deleted_at`)} is null on conflict do update set total = total + excluded.total;`
    const trigger = (name: string, event: string, statements: readonly ReturnType<typeof count>[]) =>
      sql`create trigger ${sql.id(`${table}_owner_${name}`)} after ${sql.raw(event)} on ${sql.table(table)}
        begin ${sql.join(statements, sql` `)} end`
    const isChanged =
      'new.owner_user_id is not old.owner_user_id or (new.deleted_at is null) <> (old.deleted_at is null)'
    return [
      trigger('insert', 'insert', [count('new', 1)]),
      sql`create trigger ${sql.id(`${table}_owner_change`)} after update of owner_user_id, deleted_at on ${sql.table(table)}
        when ${sql.raw(isChanged)} begin ${count('old', -1)} ${count('new', 1)} end`,
      trigger('delete', 'delete', [count('old', -1)]),
    ]
  },
}
