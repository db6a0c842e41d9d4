import { isKey } from '../../kernel/field-schemas.ts'
import { FIRST_INSTANT, type Instant } from '../../kernel/instant.ts'
import type { Comparison, NamedCondition } from '../../ports/index.ts'
import type { CustomField } from '../../schema/custom-field.ts'
import { customValueFacet, optionFacet } from '../../schema/facets.ts'
import { parseValue } from '../custom-fields/custom-value.ts'
import type { FilterField } from './filter-fields.ts'

export const NOTHING: NamedCondition = { anyOf: [] }

export function isFieldEmpty(field: FilterField): NamedCondition {
  const { column, custom, isRequired, activityLink } = field
  if (activityLink) return hasNoActivityFrom(FIRST_INSTANT, field)
  if (custom) return compareMember(custom.id, { is: null })
  return isRequired ? NOTHING : { field: column, is: null }
}

export function compareField(field: FilterField, comparison: Comparison): NamedCondition {
  const { column, custom, activityLink } = field
  if (activityLink) return compareLastActivity(field, comparison)
  return custom ? compareMember(custom.id, comparison) : { field: column, ...comparison }
}

/** @param comparison with instants: a field of times has no other */
function compareLastActivity(field: FilterField, comparison: Comparison): NamedCondition {
  if ('from' in comparison) return { not: hasNoActivityFrom(String(comparison.from), field) }
  if (!('to' in comparison)) throw new TypeError('Times are compared with instants.')
  const after = new Date(Date.parse(String(comparison.to)) + 1).toISOString()
  return {
    allOf: [hasNoActivityFrom(after, field), { not: hasNoActivityFrom(FIRST_INSTANT, field) }],
  }
}

function hasNoActivityFrom(from: Instant, { activityLink, activityWhere = [] }: FilterField): NamedCondition {
  const activities = { collection: 'activities', foreignKey: activityLink!, field: 'created_at' }
  return { field: 'id', notExists: { ...activities, from, where: activityWhere } }
}

export function equalsText(field: FilterField, text: string): NamedCondition {
  if (field.custom) return hasFacet(customValueFacet(field.custom.id, normalizeText(field.custom, text)))
  return { field: field.column, equalsText: text }
}

export function hasChoice({ column, custom }: FilterField, choices: readonly string[]): NamedCondition {
  if (!custom) return { field: column, oneOf: choices }
  return hasAnyFacet(choices.map((choice) => findOptionFacet(custom.id, choice)))
}

export function hasAnyFacet(facets: readonly (string | undefined)[]): NamedCondition {
  const existing = facets.filter((each) => each !== undefined)
  const [only, ...others] = existing
  return only !== undefined && others.length === 0
    ? hasFacet(only)
    : { field: 'search_terms', hasAnyTerm: existing }
}

export function hasFacet(hasTerm: string): NamedCondition {
  return { field: 'search_terms', hasTerm }
}

export function compareMember(name: string, comparison: Comparison | { readonly is: null }): NamedCondition {
  return { field: 'custom_values', whereMember: { name, ...comparison } }
}

/** @param name of a member of the entries */
export function hasEntry(column: string, name: string, comparison: Comparison): NamedCondition {
  return { field: column, whereEntry: { name, ...comparison } }
}

/** The facet of an option of a custom field; undefined for what is no key of one. */
export function findOptionFacet(fieldId: string, option: string): string | undefined {
  return isKey(option) ? optionFacet(fieldId, option) : undefined
}

/** The text as it is stored, such as a CPF without punctuation. */
function normalizeText(custom: CustomField, text: string): string {
  const parsed = parseValue(custom, text)
  return 'value' in parsed && typeof parsed.value === 'string' ? parsed.value : text
}
