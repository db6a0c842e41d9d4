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

/** The type of the values of a custom field. It never changes. */
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]

/** A field that a workspace adds to its people, companies or deals. */
export interface CustomField extends RecordBase {
  readonly updated_at: Instant
  readonly label: string
  /** Unique in the workspace; names the field in inputs. It never changes. */
  readonly key: string
  readonly type: CustomFieldType
  /** The options of a `select` or `multi_select` field, in display order; null for other types. */
  readonly value: { readonly select_list: readonly SelectOption[] } | null
  /** True if a new record needs a value, which cannot be cleared. Records without one stay. */
  readonly required: boolean
  /** True if people have the field. */
  readonly show_people: boolean
  /** True if companies have the field. */
  readonly show_companies: boolean
  /** True if deals have the field. */
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

/** An option of a `select` or `multi_select` field. */
export interface SelectOption {
  /** The value in inputs and responses; unique in the field. */
  readonly key: string
  /** Display name. */
  readonly option: string
}
