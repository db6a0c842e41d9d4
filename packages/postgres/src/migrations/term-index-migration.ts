import { FACET_TABLES, SEARCHED_TABLES, type Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'
import { lexemes } from '../dialect/term-index.ts'

export async function createTermIndexes(db: Kysely<Tables>): Promise<void> {
  for (const table of SEARCHED_TABLES) {
    // Without the default, inserts of an older version fail rather than create rows that searches miss.
    await sql`alter table ${sql.table(table)} alter column found_by drop default`.execute(db)
    await createTermIndex(db, table, 'found_by')
  }
}

/** Indexes the kinds that are found by facets alone. */
export async function createFacetIndexes(db: Kysely<Tables>): Promise<void> {
  for (const table of FACET_TABLES) await createTermIndex(db, table, 'search_terms')
}

async function createTermIndex(db: Kysely<Tables>, table: string, column: string): Promise<void> {
  // Without a pending list, which every search would have to read.
  await sql`create index ${sql.id(`${table}_words`)} on ${sql.table(table)} using gin (${lexemes(column)})
    with (fastupdate = off) where deleted_at is null`.execute(db)
}
