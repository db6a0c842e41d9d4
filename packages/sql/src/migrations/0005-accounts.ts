import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType, createSharedTable, type RecordTable } from './record-table.ts'

/** Tables whose rows expire some time after `expires_at`, with an index on it. */
const SHARED_TABLES: readonly RecordTable[] = [
  {
    name: 'authorizations',
    columns: {
      client_id: 'uuid not null',
      redirect_uri: 'text not null',
      state: 'text',
      scopes: 'json not null',
      code_challenge: 'text',
      expires_at: 'instant not null',
    },
    sortColumns: ['expires_at'],
  },
  {
    name: 'codes',
    columns: {
      token_hash: 'text not null',
      client_id: 'uuid not null',
      redirect_uri: 'text not null',
      scopes: 'json not null',
      code_challenge: 'text',
      workspace_id: 'uuid not null',
      user_id: 'uuid not null',
      grant_id: 'uuid',
      expires_at: 'instant not null',
    },
    sortColumns: ['expires_at'],
    filterColumns: ['user_id'],
  },
  {
    name: 'invitations',
    columns: {
      workspace_id: 'uuid not null',
      user_id: 'uuid not null',
      role: 'text not null',
      invited_by: 'uuid not null',
      token_hash: 'text not null',
      expires_at: 'instant not null',
    },
    sortColumns: ['expires_at'],
    filterColumns: ['workspace_id'],
  },
  {
    name: 'lasting_windows',
    columns: { key: 'text not null', used: 'integer not null', expires_at: 'instant not null' },
    sortColumns: ['expires_at'],
    uniqueColumns: ['key'],
  },
  {
    name: 'letters',
    columns: {
      sealed: 'text not null',
      due_at: 'instant not null',
      attempts: 'integer not null',
      expires_at: 'instant not null',
    },
    sortColumns: ['due_at', 'expires_at'],
  },
  {
    name: 'links',
    columns: {
      purpose: 'text not null',
      subject_id: 'uuid not null',
      token_hash: 'text not null',
      expires_at: 'instant not null',
    },
    sortColumns: ['expires_at'],
    filterColumns: ['subject_id'],
  },
  {
    name: 'sessions',
    columns: { user_id: 'uuid not null', token_hash: 'text not null', expires_at: 'instant not null' },
    sortColumns: ['expires_at'],
    filterColumns: ['user_id'],
  },
]

export async function createAccountTables(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  for (const table of SHARED_TABLES) await createSharedTable(db, dialect, table)
  const json = columnType("json not null default '[]'", dialect)
  await sql`alter table users add column workspace_ids ${json}`.execute(db)
  await fillWorkspaceIds(db, dialect)
}

/** The memberships of a user, present and past. */
async function fillWorkspaceIds(db: Kysely<Tables>, { jsonArrayAggregate }: Dialect): Promise<void> {
  await sql`update users set workspace_ids = joined.ids
    from (select id, ${sql.raw(jsonArrayAggregate)}(workspace_id order by created_at, workspace_id) as ids from members group by id) as joined
    where users.id = joined.id`.execute(db)
}
