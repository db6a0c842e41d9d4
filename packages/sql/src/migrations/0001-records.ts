import type { Kysely } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createSharedTable, createWorkspaceTable, type RecordTable } from './record-table.ts'

const SHARED_TABLES: readonly RecordTable[] = [
  {
    name: 'workspaces',
    columns: {
      name: 'text not null',
      slug: 'text not null',
      locale: 'text not null',
      currency: 'text not null',
      time_zone: 'text not null',
    },
    sortColumns: ['created_at'],
    uniqueColumns: ['slug'],
  },
  {
    name: 'users',
    columns: { email: 'text not null', name: 'text not null', password_hash: 'text' },
    sortColumns: ['created_at'],
    uniqueColumns: ['email'],
  },
  {
    name: 'apps',
    columns: {
      name: 'text not null',
      email: 'text not null',
      redirect_uris: 'json not null',
      scopes: 'json not null',
      secret_hash: 'text',
      active: 'boolean not null',
    },
    sortColumns: ['created_at'],
  },
  {
    name: 'signing_keys',
    columns: { sealed_secret: 'text not null', role: 'text' },
    sortColumns: ['created_at'],
    uniqueColumns: ['role'],
  },
]

const WORKSPACE_TABLES: readonly RecordTable[] = [
  { name: 'members', columns: { role: 'text not null', removed_at: 'instant' }, sortColumns: ['created_at'] },
  {
    name: 'grants',
    columns: {
      user_id: 'uuid not null',
      client_id: 'uuid not null',
      scopes: 'json not null',
      refresh_hash: 'text',
      refresh_expires_at: 'instant',
      revoked_at: 'instant',
    },
    foreignKeys: { user_id: 'members' },
    sortColumns: ['created_at'],
    filterColumns: ['user_id'],
    uniqueColumns: ['refresh_hash'],
  },
  { name: 'pipelines', columns: { name: 'text not null' }, sortColumns: ['created_at', 'name'] },
  {
    name: 'stages',
    columns: {
      pipeline_id: 'uuid not null',
      position: 'integer not null',
      name: 'text not null',
      type: 'text not null',
      probability: 'integer not null',
    },
    foreignKeys: { pipeline_id: 'pipelines' },
    sortColumns: ['created_at'],
    filterColumns: ['pipeline_id'],
  },
  {
    name: 'task_types',
    columns: { title: 'text not null', color: 'text not null', key: 'text not null' },
    sortColumns: ['created_at', 'title'],
    uniqueColumns: ['key'],
  },
  {
    name: 'companies',
    columns: {
      entity_id: 'text not null',
      full_name: 'text not null',
      emails: 'json not null',
      phones: 'json not null',
      website: 'text',
      avatar_url: 'text',
      owner_user_id: 'uuid',
    },
    foreignKeys: { owner_user_id: 'members' },
    sortColumns: ['created_at', 'updated_at', 'full_name'],
    filterColumns: ['owner_user_id'],
    uniqueForever: ['entity_id'],
  },
  {
    name: 'people',
    columns: {
      entity_id: 'text not null',
      full_name: 'text not null',
      emails: 'json not null',
      phones: 'json not null',
      position: 'text',
      score: 'integer not null',
      avatar_url: 'text',
      company_id: 'uuid',
      owner_user_id: 'uuid',
    },
    foreignKeys: { company_id: 'companies', owner_user_id: 'members' },
    sortColumns: ['created_at', 'updated_at', 'full_name'],
    filterColumns: ['company_id', 'owner_user_id'],
    uniqueForever: ['entity_id'],
  },
  {
    name: 'deals',
    columns: {
      entity_id: 'text not null',
      name: 'text not null',
      amount: 'integer not null',
      currency: 'text not null',
      pipeline_id: 'uuid not null',
      stage_id: 'uuid not null',
      source: 'text',
      forecast_date: 'instant',
      closed_at: 'instant',
      person_id: 'uuid',
      company_id: 'uuid',
      owner_user_id: 'uuid',
    },
    foreignKeys: {
      pipeline_id: 'pipelines',
      stage_id: 'stages',
      person_id: 'people',
      company_id: 'companies',
      owner_user_id: 'members',
    },
    sortColumns: ['created_at', 'updated_at', 'name'],
    filterColumns: ['pipeline_id', 'stage_id', 'person_id', 'company_id', 'owner_user_id'],
    uniqueForever: ['entity_id'],
  },
  {
    name: 'tasks',
    columns: {
      title: 'text not null',
      notes: 'text',
      due_date: 'instant',
      type_id: 'uuid',
      person_id: 'uuid',
      company_id: 'uuid',
      deal_id: 'uuid',
      owner_user_id: 'uuid',
      priority: 'text',
      completed: 'boolean not null',
    },
    foreignKeys: {
      type_id: 'task_types',
      person_id: 'people',
      company_id: 'companies',
      deal_id: 'deals',
      owner_user_id: 'members',
    },
    sortColumns: ['created_at', 'updated_at', 'due_date'],
    filterColumns: ['person_id', 'company_id', 'deal_id', 'owner_user_id', 'completed'],
  },
]

export async function createRecordTables(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  for (const table of SHARED_TABLES) await createSharedTable(db, dialect, table)
  for (const table of WORKSPACE_TABLES) await createWorkspaceTable(db, dialect, table)
}
