export const CUSTOM_FIELD_TYPES = [
  'text',
  'long_text',
  'select',
  'multi_select',
  'cpf',
  'cnpj',
  'date',
  'number',
  'link',
  'address',
] as const

/** The type of the values of a custom field. It never changes. */
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]
