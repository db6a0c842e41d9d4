import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType, createSharedTable, createWorkspaceTable } from './record-table.ts'

/** The tables of the kinds that members follow. */
const FOLLOWED_TABLES = ['tasks', 'deals', 'people', 'companies'] as const

/** Adds what members are told and how, who follows a record, reminders of tasks, and the times at which the service acts. */
export async function addNotifications(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const add = (table: string, column: string, kind: string) =>
    sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${columnType(kind, dialect)}`.execute(
      db,
    )
  // In the order in which writes use them: the other way round waits for writes that wait for this.
  for (const table of FOLLOWED_TABLES) await add(table, 'followers', `json not null default '[]'`)
  await add('tasks', 'remind_at', 'instant')
  await add('members', 'language', 'text')
  await add('members', 'reminder_time', 'text')
  await add('members', 'notices', `json not null default '{}'`)
  await createWorkspaceTable(db, dialect, {
    name: 'notifications',
    columns: {
      ...{ kind: 'text not null', entity: 'text not null', entity_id: 'uuid not null' },
      ...{ event: 'text', activity_id: 'uuid', changes: 'integer not null' },
      ...{ actor_user_id: 'uuid', read_at: 'instant', member_id: 'uuid not null' },
      ...{ cause: 'text not null', in_app: 'boolean not null' },
    },
    foreignKeys: { actor_user_id: 'members', member_id: 'members' },
    sortColumns: ['created_at'],
    filterColumns: ['member_id'],
    uniqueForever: ['cause'],
  })
  await createSharedTable(db, dialect, {
    name: 'timers',
    columns: {
      ...{ workspace_id: 'uuid not null', kind: 'text not null', subject_id: 'uuid not null' },
      ...{ key: 'text not null', due_at: 'instant not null' },
    },
    sortColumns: ['due_at'],
    filterColumns: ['workspace_id'],
    uniqueColumns: ['key'],
  })
}
