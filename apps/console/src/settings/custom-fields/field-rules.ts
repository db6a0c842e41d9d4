import type { CustomField, CustomFieldType, SelectOption } from '@sales-crm/client'

export type FieldKind = 'people' | 'companies' | 'deals'
export const FIELD_KINDS: readonly FieldKind[] = ['people', 'companies', 'deals']

export const FIELD_TYPES: readonly CustomFieldType[] = [
  'text',
  'long_text',
  'number',
  'date',
  'select',
  'multi_select',
  'link',
  'address',
  'cpf',
  'cnpj',
]

type ShowField = `show_${FieldKind}`

/** The field of the API that says whether a kind shows a custom field. */
export function showFieldOf(kind: FieldKind): ShowField {
  return `show_${kind}`
}

export function isSelect(type: CustomFieldType): boolean {
  return type === 'select' || type === 'multi_select'
}

const MAX_KEY_LENGTH = 35

/** Derives a key from a label: lower-case letters and digits, joined by single underscores. */
export function deriveKey(label: string): string {
  const words = label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  return words.join('_').slice(0, MAX_KEY_LENGTH).replace(/_$/, '')
}

/** Derives a key that no other option has. */
export function deriveOptionKey(label: string, options: readonly SelectOption[]): string {
  const key = deriveKey(label) || 'option'
  const isTaken = (candidate: string) => options.some((option) => option.key === candidate)
  if (!isTaken(key)) return key
  for (let number = 2; ; number++) {
    const suffix = `_${number}`
    const candidate = `${key.slice(0, MAX_KEY_LENGTH - suffix.length).replace(/_$/, '')}${suffix}`
    if (!isTaken(candidate)) return candidate
  }
}

/** Reads options, one in a line. Empty lines and repetitions count for nothing. */
export function parseOptions(text: string): readonly SelectOption[] {
  const labels = new Set(text.split('\n').map((line) => line.trim()))
  labels.delete('')
  const options: SelectOption[] = []
  for (const option of labels) options.push({ key: deriveOptionKey(option, options), option })
  return options
}

/** The fields that each kind shows, and those that none shows. A field is in as many groups as show it. */
export function groupFields(
  fields: readonly CustomField[],
  language: string,
): readonly { readonly kind: FieldKind | 'none'; readonly fields: readonly CustomField[] }[] {
  const sorted = fields.toSorted((a, b) => a.label.localeCompare(b.label, language))
  const groups = FIELD_KINDS.map((kind) => ({
    kind,
    fields: sorted.filter((field) => field[showFieldOf(kind)]),
  }))
  const none = sorted.filter((field) => FIELD_KINDS.every((kind) => !field[showFieldOf(kind)]))
  return none.length === 0 ? groups : [...groups, { kind: 'none', fields: none }]
}
