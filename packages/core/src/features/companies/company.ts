import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import type { Company } from '../../schema/company.ts'
import { domainFacet, nameFacet } from '../../schema/facets.ts'
import { associations } from '../associations/associations.ts'
import { buildSearchTerms } from '../associations/build-search-terms.ts'
import { searchFilters } from '../associations/search-filters.ts'
import { extractContactTerms } from '../contacts/contact-terms.ts'
import { readDomain } from '../contacts/read-domain.ts'
import { customValuesLoader } from '../custom-fields/custom-values.ts'
import { dealLink } from '../deals/link-deals.ts'
import { lastActivityLoader } from '../linked-records/last-activities.ts'
import { LINKED_SCOPES } from '../linked-records/link-field.ts'
import { nextTaskLoader } from '../linked-records/next-tasks.ts'
import { openAmountLoader } from '../linked-records/open-amounts.ts'
import { listFilters, listOrder } from '../views/list-filters.ts'

export const companyEvents = lifecycleEvents('company.created', 'company.updated', 'company.deleted')

export const companies = defineResource('companies', {
  filters: { ...searchFilters<Company>('companies'), ...listFilters<Company>('companies') },
  listOrder: listOrder('companies'),
  searchTerms: (company, toPhoneDigits) =>
    buildSearchTerms(
      [
        ...extractContactTerms(company, toPhoneDigits),
        nameFacet(company.full_name),
        ...domainFacets(company),
      ],
      company,
    ),
  extensions: [associations('companies'), dealLink('company_id')],
  includeScopes: LINKED_SCOPES,
  loaders: {
    custom_fields: customValuesLoader('companies'),
    next_task: nextTaskLoader('company_id'),
    last_activity_at: lastActivityLoader('company_id'),
    open_amounts: openAmountLoader('company_id'),
  },
  events: companyEvents,
  snapshot: (company) => ({ company }),
})

function domainFacets({ website }: Company): string[] {
  const domain = website === null ? undefined : readDomain(website)
  return domain === undefined ? [] : [domainFacet(domain)]
}
