import type { Address, CustomField, CustomFieldValue, SelectOption } from '@sales-crm/client'
import type { DateFormat } from '../../format/dates.ts'
import { completeLink } from '../../format/links.ts'
import { editableNumber, parseNumber } from '../../format/number.ts'
import { collapseSpaces } from '../../format/typed-text.ts'
import type { FieldEdit } from '../use-record-update.ts'

export type CustomValue = CustomFieldValue['value']

/** `529.982.247-25` */
export function formatCpf(digits: string): string {
  return digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
}

/** `12.ABC.345/01DE-35` */
export function formatCnpj(characters: string): string {
  return characters.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
}

export function formatAddress(address: Address): string {
  const { street, number, complement, district, city, state, postal_code, country } = address
  return [
    [street, number, complement].filter(Boolean).join(', '),
    [district, city, state].filter(Boolean).join(', '),
    [postal_code, country].filter(Boolean).join(', '),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** The options of a selection; none for other types. */
export function optionsOf({ value }: Pick<CustomField, 'value'>): readonly SelectOption[] {
  return value?.select_list ?? []
}

/** The value as text; the options of selections by their names. */
export function formatCustomValue(
  field: Pick<CustomField, 'type' | 'value'>,
  value: CustomValue,
  { dates, formatNumber }: { readonly dates: DateFormat; readonly formatNumber: (value: number) => string },
): string {
  const optionName = (key: string) => optionsOf(field).find((option) => option.key === key)?.option ?? key
  if (Array.isArray(value)) return value.map(optionName).join(', ')
  if (typeof value === 'object') return formatAddress(value as Address)
  if (typeof value === 'number') return formatNumber(value)
  if (field.type === 'select') return optionName(value)
  if (field.type === 'cpf') return formatCpf(value)
  if (field.type === 'cnpj') return formatCnpj(value)
  return field.type === 'date' ? dates.plainDay(value) : value
}

/** The value of a field of a record. */
export function findCustomValue(
  record: { readonly custom_fields: readonly CustomFieldValue[] },
  key: string,
): CustomValue | undefined {
  return record.custom_fields.find((each) => each.key === key)?.value
}

/** The values of a record with one of them replaced; undefined removes it. */
export function withCustomValue(
  values: readonly CustomFieldValue[],
  { id, key, label, type }: CustomField,
  value: CustomValue | undefined,
): CustomFieldValue[] {
  const others = values.filter((each) => each.key !== key)
  return value === undefined ? others : [...others, { id, key, label, type, value }]
}

/** What a PATCH gets; undefined clears the field. */
export function customValueInput({ key }: Pick<CustomField, 'key'>, value: CustomValue | undefined) {
  return { custom_fields: [{ key, value: value ?? null }] }
}

export function editCustomValue(
  values: readonly CustomFieldValue[],
  field: CustomField,
  value: CustomValue | undefined,
): FieldEdit {
  return {
    changes: customValueInput(field, value),
    shown: { custom_fields: withCustomValue(values, field, value) },
  }
}

/**
 * Reads the text of a field that is edited as text. Empty text clears the field.
 * @returns NaN for a number that is none
 */
export function parseCustomText(
  { type }: Pick<CustomField, 'type'>,
  text: string,
  language: string,
): CustomValue | undefined {
  if (text.trim() === '') return undefined
  if (type === 'number') return parseNumber(text, language) ?? Number.NaN
  if (type === 'link') return completeLink(text)
  return type === 'long_text' ? text : collapseSpaces(text)
}

/** A value as text that `parseCustomText` reads. */
export function editableCustomText(
  { type }: Pick<CustomField, 'type'>,
  value: CustomValue,
  language: string,
): string {
  if (typeof value === 'number') return editableNumber(value, language)
  if (type === 'cpf') return formatCpf(String(value))
  return type === 'cnpj' ? formatCnpj(String(value)) : String(value)
}
