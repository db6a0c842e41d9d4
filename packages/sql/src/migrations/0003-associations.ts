import { companies, deals, people } from '@sales-crm/core'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Row } from '../connection.ts'
import type { Dialect, Tables } from '../dialect.ts'
import { fillFoundBy } from './fill-found-by.ts'
import { createOfWorkspaces, createShared, type RecordTable, typeOf } from './record-table.ts'

/** The tables that are found by the words of `found_by`. Each database makes its own index of them afterwards. */
export const SEARCHED = ['companies', 'people', 'deals', 'products'] as const

/** Those that were there before, and what their rows are found by. */
const FOUND_BY: Readonly<Record<string, unknown>> = { companies: companies.foundBy, people: people.foundBy, deals: deals.foundBy }

const ASSOCIATED = {
  tag_ids: `json not null default '[]'`,
  list_ids: `json not null default '[]'`,
  custom_values: `json not null default '{}'`,
  found_by: `words not null default ''`,
}

const SHARED: readonly RecordTable[] = [
  {
    name: 'idempotency_keys',
    columns: { scope: 'text not null', request: 'text not null', answer: 'json' },
    orderedBy: ['created_at'],
    unique: ['scope'],
  },
]

const OF_WORKSPACES: readonly RecordTable[] = [
  {
    name: 'activities',
    columns: {
      person_id: 'uuid',
      company_id: 'uuid',
      deal_id: 'uuid',
      content_html: 'text not null',
      attachments_count: 'integer not null',
      owner_user_id: 'uuid',
    },
    refersTo: { person_id: 'people', company_id: 'companies', deal_id: 'deals', owner_user_id: 'members' },
    orderedBy: ['created_at', 'updated_at'],
    foundBy: ['person_id', 'company_id', 'deal_id'],
  },
  {
    name: 'attachments',
    columns: {
      activity_id: 'uuid not null',
      position: 'integer not null',
      filename: 'text not null',
      content_type: 'text not null',
      size: 'integer not null',
      file_key: 'text not null',
    },
    refersTo: { activity_id: 'activities' },
    orderedBy: ['created_at'],
    foundBy: ['activity_id'],
  },
  {
    name: 'custom_fields',
    columns: {
      label: 'text not null',
      key: 'text not null',
      type: 'text not null',
      value: 'json',
      required: 'boolean not null',
      show_people: 'boolean not null',
      show_companies: 'boolean not null',
      show_deals: 'boolean not null',
    },
    orderedBy: ['created_at', 'label'],
    unique: ['key'],
  },
  {
    name: 'files',
    columns: {
      key: 'text not null',
      filename: 'text not null',
      content_type: 'text not null',
      content: 'text not null',
      download: 'boolean not null',
    },
    orderedBy: ['created_at'],
    unique: ['key'],
  },
  { name: 'lists', columns: { name: 'text not null', description: 'text' }, orderedBy: ['created_at', 'name'] },
  {
    name: 'products',
    columns: {
      name: 'text not null',
      currency: 'text not null',
      price_cts: 'integer not null',
      description: 'text',
      code: 'text',
      is_active: 'boolean not null',
      billing_cycle: 'text not null',
      image_key: 'text',
      found_by: 'words not null',
    },
    orderedBy: ['created_at', 'name'],
    foundBy: ['is_active'],
    unique: ['code'],
  },
  {
    name: 'tags',
    columns: { name: 'text not null', color: 'text not null', key: 'text not null' },
    orderedBy: ['created_at', 'name'],
    unique: ['key'],
  },
]

export function associations(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<Tables>) {
      for (const table of SHARED) await createShared(db, dialect, table)
      for (const table of OF_WORKSPACES) await createOfWorkspaces(db, dialect, table)
      for (const [table, foundBy] of Object.entries(FOUND_BY)) {
        for (const [column, kind] of Object.entries(ASSOCIATED)) {
          await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${typeOf(kind, dialect)}`.execute(db)
        }
        await fillFoundBy(db, dialect, table as 'people', foundBy as (row: Row) => string)
      }
    },
  }
}
