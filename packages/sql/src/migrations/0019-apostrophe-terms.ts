import { RESOURCES } from '@sales-crm/core/declarations'
import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { fillSearchTerms } from './fill-search-terms.ts'

const { companies, deals, people, products } = RESOURCES

/** The columns whose words are terms and may have apostrophes, and the terms of a row. */
const SEARCHED_COLUMNS = [
  { table: 'companies', columns: ['full_name', 'emails'], searchTerms: companies.searchTerms },
  { table: 'people', columns: ['full_name', 'emails'], searchTerms: people.searchTerms },
  { table: 'deals', columns: ['name'], searchTerms: deals.searchTerms },
  { table: 'products', columns: ['name', 'code'], searchTerms: products.searchTerms },
] as const

/** Those that fold to the first one, and the letter. */
const APOSTROPHES = [`'`, '’', '＇', 'ʼ']

/** Adds the words that have an apostrophe, without it, to the terms of the records that have one. */
export async function addApostropheTerms(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  for (const { table, columns, searchTerms } of SEARCHED_COLUMNS) {
    const apostrophes = columns.flatMap((column) =>
      APOSTROPHES.map((sign) => sql`cast(${sql.ref(column)} as text) like ${`%${sign}%`}`),
    )
    await fillSearchTerms(db, dialect, {
      table,
      column: 'search_terms',
      where: sql`(${sql.join(apostrophes, sql` or `)})`,
      searchTerms,
    })
  }
}
