import { RESOURCES } from '@sales-crm/core/declarations'
import { type Kysely, sql } from 'kysely'
import type { Dialect, MigrationOptions, Tables } from '../dialect.ts'
import { fillSearchTerms, readCountries } from './fill-search-terms.ts'

/** Adds the facets of followers to the terms of records that have any. */
export async function fillFollowerFacets(
  db: Kysely<Tables>,
  dialect: Dialect,
  options: MigrationOptions,
): Promise<void> {
  const countries = await readCountries(db)
  for (const table of ['tasks', 'deals', 'people', 'companies'] as const)
    await fillSearchTerms(db, dialect, {
      table,
      column: 'search_terms',
      where: sql`not ${dialect.isJsonEmpty(sql.ref('followers'))}`,
      searchTerms: RESOURCES[table].searchTerms,
      ...{ countries, options },
    })
}
