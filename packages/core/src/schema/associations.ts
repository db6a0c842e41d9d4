import type { CustomValues } from './custom-value.ts'

/**
 * Tags, lists and custom values of people, companies and deals, stored with the record and indexed in
 * `search_terms`.
 */
export interface AssociationFields {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
  /** The folded words of the record's own fields, and a facet per tag, list and option. */
  readonly search_terms: string
}

export const ASSOCIATION_COLUMNS = {
  tag_ids: 'json',
  list_ids: 'json',
  custom_values: 'json',
  search_terms: 'terms',
} as const

export const NO_ASSOCIATIONS: AssociationFields = {
  tag_ids: [],
  list_ids: [],
  custom_values: {},
  search_terms: '',
}
