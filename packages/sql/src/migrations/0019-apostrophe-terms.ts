import { companies, deals, people, products } from '@sales-crm/core'
import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { fillSearchTerms } from './fill-search-terms.ts'

/** The tables whose names may have apostrophes, and the terms of their rows. */
const NAMED_TABLES = [
  { table: 'companies', name: 'full_name', searchTerms: companies.searchTerms },
  { table: 'people', name: 'full_name', searchTerms: people.searchTerms },
  { table: 'deals', name: 'name', searchTerms: deals.searchTerms },
  { table: 'products', name: 'name', searchTerms: products.searchTerms },
] as const

/** Adds the words with an apostrophe, without it, to the terms of the records that have one in their name. */
export async function addApostropheTerms(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  for (const { table, name, searchTerms } of NAMED_TABLES) {
    const apostrophes = [`%'%`, '%’%', '%ʼ%'].map((pattern) => sql`${sql.ref(name)} like ${pattern}`)
    await fillSearchTerms(db, dialect, {
      table,
      column: 'search_terms',
      where: sql`(${sql.join(apostrophes, sql` or `)})`,
      searchTerms,
    })
  }
}
