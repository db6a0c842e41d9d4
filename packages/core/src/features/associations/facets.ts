import { joinTerms } from '../../engine/search-terms.ts'
import type { Condition } from '../../ports/index.ts'
import type { CustomValues } from '../../schema/custom-value.ts'

interface FacetFields {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
}

/** Marks begin with an underscore, which no word of a text does: nobody comes upon them by searching. */
export function tagFacet(id: string): string {
  return `_tag_${stripHyphens(id)}`
}

export function listFacet(id: string): string {
  return `_list_${stripHyphens(id)}`
}

export function optionFacet(fieldId: string, option: string): string {
  return `_option_${stripHyphens(fieldId)}_${option}`
}

/** What a record is found by: `words`, and a mark for whatever it holds. */
export function buildSearchTerms(
  terms: readonly string[],
  { tag_ids, list_ids, custom_values }: FacetFields,
): string {
  return joinTerms([
    ...terms,
    ...tag_ids.map(tagFacet),
    ...list_ids.map(listFacet),
    ...optionFacets(custom_values),
  ])
}

/** The record holds the mark. */
export function whereFacet<R extends { readonly found_by: string }>(facet: string): Condition<R> {
  return { field: 'found_by', holds: facet }
}

/** Only options are kept in lists. */
function optionFacets(values: CustomValues): string[] {
  return Object.entries(values).flatMap(([fieldId, value]) => {
    return Array.isArray(value) ? value.map((option: string) => optionFacet(fieldId, option)) : []
  })
}

function stripHyphens(id: string): string {
  return id.replaceAll('-', '')
}
