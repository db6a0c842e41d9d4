import type { CustomValues } from './custom-value.ts'

/** What people, companies and deals have beyond their own fields. It is kept with the record, and found by its index. */
export interface AssociationFields {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
  /** What the record is found by: the words of its own fields, and a mark for each tag, list and option it holds. */
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
