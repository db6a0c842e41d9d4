import { joinTerms } from '../../engine/search-terms.ts'
import type { CustomValues } from '../../schema/custom-value.ts'
import { customValueFacet, listFacet, optionFacet, tagFacet } from '../../schema/facets.ts'

interface FacetFields {
  readonly tag_ids: readonly string[]
  readonly list_ids: readonly string[]
  readonly custom_values: CustomValues
}

/** Joins the words of a record with a facet for each of its tags, lists and custom values. */
export function buildSearchTerms(
  terms: readonly string[],
  { tag_ids, list_ids, custom_values }: FacetFields,
): string {
  return joinTerms([
    ...terms,
    ...tag_ids.map(tagFacet),
    ...list_ids.map(listFacet),
    ...customFacets(custom_values),
  ])
}

/** Only select and multi_select fields have arrays as values. An address, an object, is not compared as a whole. */
function customFacets(values: CustomValues): string[] {
  return Object.entries(values).flatMap(([fieldId, value]) => {
    if (Array.isArray(value)) return value.map((option: string) => optionFacet(fieldId, option))
    return typeof value === 'object' ? [] : [customValueFacet(fieldId, value as string | number)]
  })
}
