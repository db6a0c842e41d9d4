import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, Tables } from '../dialect.ts'
import { createOfWorkspaces, createShared, type RecordTable } from './record-table.ts'

const SHARED: readonly RecordTable[] = [
  {
    name: 'workspaces',
    columns: {
      name: 'text not null',
      slug: 'text not null',
      locale: 'text not null',
      currency: 'text not null',
      time_zone: 'text not null',
    },
    orderedBy: ['created_at'],
    unique: ['slug'],
  },
  {
    name: 'users',
    columns: { email: 'text not null', name: 'text not null', password_hash: 'text' },
    orderedBy: ['created_at'],
    unique: ['email'],
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
    orderedBy: ['created_at'],
  },
  { name: 'signing_keys', columns: { sealed_secret: 'text not null', role: 'text' }, orderedBy: ['created_at'], unique: ['role'] },
]

const OF_WORKSPACES: readonly RecordTable[] = [
  { name: 'members', columns: { role: 'text not null', removed_at: 'instant' }, orderedBy: ['created_at'] },
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
    refersTo: { user_id: 'members' },
    orderedBy: ['created_at'],
    foundBy: ['user_id'],
    unique: ['refresh_hash'],
  },
  { name: 'pipelines', columns: { name: 'text not null' }, orderedBy: ['created_at', 'name'] },
  {
    name: 'stages',
    columns: {
      pipeline_id: 'uuid not null',
      position: 'integer not null',
      name: 'text not null',
      type: 'text not null',
      probability: 'integer not null',
    },
    refersTo: { pipeline_id: 'pipelines' },
    orderedBy: ['created_at'],
    foundBy: ['pipeline_id'],
  },
  {
    name: 'task_types',
    columns: { title: 'text not null', color: 'text not null', key: 'text not null' },
    orderedBy: ['created_at', 'title'],
    unique: ['key'],
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
    refersTo: { owner_user_id: 'members' },
    orderedBy: ['created_at', 'updated_at', 'full_name'],
    foundBy: ['owner_user_id'],
    neverReused: ['entity_id'],
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
    refersTo: { company_id: 'companies', owner_user_id: 'members' },
    orderedBy: ['created_at', 'updated_at', 'full_name'],
    foundBy: ['company_id', 'owner_user_id'],
    neverReused: ['entity_id'],
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
    refersTo: { pipeline_id: 'pipelines', stage_id: 'stages', person_id: 'people', company_id: 'companies', owner_user_id: 'members' },
    orderedBy: ['created_at', 'updated_at', 'name'],
    foundBy: ['pipeline_id', 'stage_id', 'person_id', 'company_id', 'owner_user_id'],
    neverReused: ['entity_id'],
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
    refersTo: { type_id: 'task_types', person_id: 'people', company_id: 'companies', deal_id: 'deals', owner_user_id: 'members' },
    orderedBy: ['created_at', 'updated_at', 'due_date'],
    foundBy: ['person_id', 'company_id', 'deal_id', 'owner_user_id', 'completed'],
  },
]

export function records(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<Tables>) {
      for (const table of SHARED) await createShared(db, dialect, table)
      for (const table of OF_WORKSPACES) await createOfWorkspaces(db, dialect, table)
    },
  }
}
