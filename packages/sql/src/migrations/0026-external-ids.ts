import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/** The tables of the kinds with ids in other systems. */
const TABLES = ['activities', 'companies', 'deals', 'people', 'products', 'tasks'] as const

/** Those that had no terms: they are found by facets alone. */
export const FACET_TABLES = ['activities', 'tasks'] as const

/** Adds the ids of records in other systems, and the terms of the kinds that had none. */
export async function addExternalIds(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  for (const table of TABLES)
    await sql`alter table ${sql.table(table)} add column external_ids ${columnType(`json not null default '[]'`, dialect)}`.execute(
      db,
    )
  for (const table of FACET_TABLES)
    await sql`alter table ${sql.table(table)} add column search_terms ${columnType(`terms not null default ''`, dialect)}`.execute(
      db,
    )
}
