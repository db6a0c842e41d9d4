import { RESOURCES } from '@sales-crm/core/declarations'
import type { Kysely } from 'kysely'
import type { Dialect, MigrationOptions, Tables } from '../dialect.ts'
import { fillSearchTerms, readCountries } from './fill-search-terms.ts'

/** Adds the facets of e-mail addresses, phone numbers, domains and custom values to the terms of records. */
export async function fillFacets(
  db: Kysely<Tables>,
  dialect: Dialect,
  options: MigrationOptions,
): Promise<void> {
  const countries = await readCountries(db)
  for (const table of ['companies', 'people', 'deals'] as const)
    await fillSearchTerms(db, dialect, {
      table,
      column: 'search_terms',
      searchTerms: RESOURCES[table].searchTerms,
      ...{ countries, options },
    })
}
