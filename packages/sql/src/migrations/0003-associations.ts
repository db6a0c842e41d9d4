import { RESOURCES } from '@sales-crm/core/declarations'
import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { fillSearchTerms } from './fill-search-terms.ts'
import { columnType, createSharedTable, createWorkspaceTable, type RecordTable } from './record-table.ts'

const { companies, deals, people } = RESOURCES

/**
 * Tables with a full-text index on the words in `found_by`. Each database creates its own kind of index
 * later.
 */
export const SEARCHED_TABLES = ['companies', 'people', 'deals', 'products'] as const

/** The tables that existed before, and the text that their rows are searched by. */
const SEARCH_TERMS = {
  companies: companies.searchTerms,
  people: people.searchTerms,
  deals: deals.searchTerms,
}

const ADDED_COLUMNS = {
  tag_ids: `json not null default '[]'`,
  list_ids: `json not null default '[]'`,
  custom_values: `json not null default '{}'`,
  found_by: `terms not null default ''`,
}

const IDEMPOTENCY_KEYS: RecordTable = {
  name: 'idempotency_keys',
  columns: { scope: 'text not null', request: 'text not null', answer: 'json' },
  sortColumns: ['created_at'],
  uniqueColumns: ['scope'],
}

const WORKSPACE_TABLES: readonly RecordTable[] = [
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
    foreignKeys: { person_id: 'people', company_id: 'companies', deal_id: 'deals', owner_user_id: 'members' },
    sortColumns: ['created_at', 'updated_at'],
    filterColumns: ['person_id', 'company_id', 'deal_id'],
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
    foreignKeys: { activity_id: 'activities' },
    sortColumns: ['created_at'],
    filterColumns: ['activity_id'],
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
    sortColumns: ['created_at', 'label'],
    uniqueColumns: ['key'],
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
    sortColumns: ['created_at'],
    uniqueColumns: ['key'],
  },
  {
    name: 'lists',
    columns: { name: 'text not null', description: 'text' },
    sortColumns: ['created_at', 'name'],
  },
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
      found_by: 'terms not null',
    },
    sortColumns: ['created_at', 'name'],
    filterColumns: ['is_active'],
    uniqueColumns: ['code'],
  },
  {
    name: 'tags',
    columns: { name: 'text not null', color: 'text not null', key: 'text not null' },
    sortColumns: ['created_at', 'name'],
    uniqueColumns: ['key'],
  },
]

export async function createAssociationTables(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createSharedTable(db, dialect, IDEMPOTENCY_KEYS)
  for (const table of WORKSPACE_TABLES) await createWorkspaceTable(db, dialect, table)
  for (const [table, searchTerms] of Object.entries(SEARCH_TERMS)) {
    for (const [column, kind] of Object.entries(ADDED_COLUMNS)) {
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${columnType(kind, dialect)}`.execute(
        db,
      )
    }
    await fillSearchTerms(db, dialect, {
      table: table as keyof typeof SEARCH_TERMS,
      column: 'found_by',
      searchTerms,
    })
  }
}
