import { defineResource, lifecycleEvents } from '../../engine/resource.ts'
import type { Person } from '../../schema/person.ts'
import type { PersonDetail } from '../../schema/views.ts'
import { associations } from '../associations/associations.ts'
import { buildSearchTerms } from '../associations/build-search-terms.ts'
import { searchFilters } from '../associations/search-filters.ts'
import { extractContactTerms } from '../contacts/contact-terms.ts'
import { customValuesLoader } from '../custom-fields/custom-values.ts'
import { dealLink } from '../deals/link-deals.ts'
import { lastActivityLoader } from '../linked-records/last-activities.ts'
import { LINKED_SCOPES } from '../linked-records/link-field.ts'
import { nextTaskLoader } from '../linked-records/next-tasks.ts'
import { openAmountLoader } from '../linked-records/open-amounts.ts'
import { listFilters, listOrder } from '../views/list-filters.ts'

export const personEvents = lifecycleEvents('person.created', 'person.updated', 'person.deleted')

export const people = defineResource('people', {
  filters: { ...searchFilters<Person>('people'), ...listFilters<Person>('people') },
  listOrder: listOrder('people'),
  searchTerms: (person, toPhoneDigits) =>
    buildSearchTerms(extractContactTerms(person, toPhoneDigits), person),
  extensions: [associations('people'), dealLink('person_id')],
  includeScopes: LINKED_SCOPES,
  loaders: {
    custom_fields: customValuesLoader('people'),
    next_task: nextTaskLoader('person_id'),
    last_activity_at: lastActivityLoader('person_id'),
    open_amounts: openAmountLoader('person_id'),
  },
  events: personEvents,
  snapshot: buildPersonSnapshot,
})

/** The detail of the person with the addresses under their positions. */
function buildPersonSnapshot(person: PersonDetail): object {
  return {
    person: {
      ...person,
      email: Object.fromEntries(person.emails.map(({ email }, position) => [position, email])),
    },
  }
}
