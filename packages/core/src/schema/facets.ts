import type { Condition } from '../kernel/record-queries.ts'

/** Facets start with an underscore, which no word of a text does, so that no search matches them. */
export function tagFacet(id: string): string {
  return `_tag_${stripHyphens(id)}`
}

export function listFacet(id: string): string {
  return `_list_${stripHyphens(id)}`
}

export function optionFacet(fieldId: string, option: string): string {
  return `_option_${stripHyphens(fieldId)}_${option}`
}

/** Matches records with the facet. */
export function whereFacet<R extends { readonly search_terms: string }>(facet: string): Condition<R> {
  return { field: 'search_terms', hasTerm: facet }
}

function stripHyphens(id: string): string {
  return id.replaceAll('-', '')
}
