import type { CustomField, CustomFieldInput } from '@sales-crm/client'
import { collapseSpaces } from '../format/typed-text.ts'
import { parseCustomText } from '../records/facts/custom-values.ts'

/** Builds the values of custom fields from what was typed. What is empty is null, which the service refuses by name. */
export function buildCustomFields(
  fields: readonly Pick<CustomField, 'key' | 'type'>[],
  values: Readonly<Record<string, string>>,
  language: string,
): CustomFieldInput[] {
  return fields.map(({ key, type }) => {
    const text = values[key] ?? ''
    if (text.trim() === '') return { key, value: null }
    if (type === 'multi_select') return { key, value: [text] }
    if (type === 'address') return { key, value: { street: collapseSpaces(text) } }
    const value = parseCustomText({ type }, text, language) ?? null
    // The service says what is wrong with a number.
    return { key, value: Number.isNaN(value) ? text : value }
  })
}

/** The part of a new record that holds these fields; empty if there are none. */
export function requiredInput(
  fields: readonly CustomField[],
  values: Readonly<Record<string, string>>,
  language: string,
): { readonly custom_fields?: CustomFieldInput[] } {
  return fields.length === 0 ? {} : { custom_fields: buildCustomFields(fields, values, language) }
}
