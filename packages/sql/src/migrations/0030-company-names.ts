import { RESOURCES } from '@sales-crm/core/declarations'
import type { Kysely } from 'kysely'
import type { Dialect, MigrationOptions, Tables } from '../dialect.ts'
import { fillSearchTerms, readCountries } from './fill-search-terms.ts'

/** Adds the facets of names to the terms of companies. */
export async function fillCompanyNames(
  db: Kysely<Tables>,
  dialect: Dialect,
  options: MigrationOptions,
): Promise<void> {
  await fillSearchTerms(db, dialect, {
    table: 'companies',
    column: 'search_terms',
    searchTerms: RESOURCES.companies.searchTerms,
    ...{ countries: await readCountries(db), options },
  })
}
