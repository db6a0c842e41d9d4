import { joinTerms } from '../../engine/search-terms.ts'
import type { CustomValues } from '../../schema/custom-value.ts'
import { listFacet, optionFacet, tagFacet } from '../../schema/facets.ts'

interface FacetFields {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
}

/** Joins the words of a record with a facet for each of its tags, lists and selected options. */
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

/** Only select and multi_select fields have arrays as values. */
function optionFacets(values: CustomValues): string[] {
  return Object.entries(values).flatMap(([fieldId, value]) => {
    return Array.isArray(value) ? value.map((option: string) => optionFacet(fieldId, option)) : []
  })
}
