import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

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

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]

export interface CustomField extends RecordBase {
  readonly updated_at: Instant
  readonly label: string
  readonly key: string
  readonly type: CustomFieldType
  /** Only for select and multi_select. */
  readonly value: { readonly select_list: readonly SelectOption[] } | null
  readonly required: boolean
  readonly show_people: boolean
  readonly show_companies: boolean
  readonly show_deals: boolean
}

export const customFieldShape = {
  columns: {
    label: 'text',
    key: 'text',
    type: 'text',
    value: 'json?',
    required: 'boolean',
    show_people: 'boolean',
    show_companies: 'boolean',
    show_deals: 'boolean',
  },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const

export interface SelectOption {
  readonly key: string
  readonly option: string
}
