import { type Dialect, longTextBytes } from '@sales-crm/sql'
import { type RawBuilder, sql } from 'kysely'

export const longTextTriggers: Dialect['longTextTriggers'] = (table, column) => {
  const [before, after] = [longTextBytes('old', column), longTextBytes('new', column)]
  const trigger = (name: string, event: string, row: 'new' | 'old', delta: RawBuilder<number>) =>
    sql`create trigger ${sql.id(`${table}_text_${name}`)} after ${sql.raw(event)} on ${sql.table(table)} when ${delta} <> 0 begin
      insert into long_texts values (${sql.ref(`${row}.workspace_id`)}, 0, ${delta})
      on conflict do update set total = total + excluded.total; end`
  return [
    trigger('insert', 'insert', 'new', after),
    trigger('update', `update of ${column}`, 'new', sql`(${after}) - (${before})`),
    trigger('delete', 'delete', 'old', sql`-(${before})`),
  ]
}
