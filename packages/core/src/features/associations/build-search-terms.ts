import { joinTerms } from '../../engine/search-terms.ts'
import type { CustomValues } from '../../schema/custom-value.ts'
import { listFacet, optionFacet, tagFacet } from '../../schema/facets.ts'

interface FacetFields {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
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

/** Only options are kept in lists. */
function optionFacets(values: CustomValues): string[] {
  return Object.entries(values).flatMap(([fieldId, value]) => {
    return Array.isArray(value) ? value.map((option: string) => optionFacet(fieldId, option)) : []
  })
}
