import type { CustomField } from '@sales-crm/client'
import type { Console } from '../app/console-context.ts'
import { buildCustomFields } from '../create/required-values.ts'
import type { SharedField } from '../fields/shared-fields.ts'
import { isDay } from '../format/typed-date.ts'
import { type CustomValue, customValueInput } from './facts/custom-values.ts'

/** What many records become: fields that the API gets as it returns them, or the value of a custom field. */
export type SharedValue =
  | { readonly fields: object }
  | { readonly customField: CustomField; readonly value: CustomValue | undefined }

/** @returns the error of a text that is no value */
export function readSharedValue(field: SharedField, typed: string, console: Console): SharedValue | string {
  if (field.type !== 'choice') {
    const fields = field.parse(typed, console)
    return typeof fields === 'string' ? fields : { fields }
  }
  const choice = field.choices(console.texts).find(([value]) => String(value) === typed)
  return choice ? { fields: { [field.name]: choice[0] } } : console.texts.errors.required
}

/** @returns the error of a text that is no value */
export function readCustomValue(
  field: CustomField,
  typed: string,
  { texts }: Pick<Console, 'texts'>,
): SharedValue | string {
  const [input] = buildCustomFields([field], { [field.key]: typed }, texts.language)
  const value = (input?.value ?? undefined) as CustomValue | undefined
  if (value === undefined && field.required) return texts.errors.required
  if (field.type === 'number' && typeof value === 'string') return texts.errors.notANumber
  if (field.type === 'date' && typeof value === 'string' && !isDay(value)) return texts.errors.notADay
  return { customField: field, value }
}

/** What a PATCH gets. */
export function toChanges(shared: SharedValue): object {
  return 'fields' in shared ? shared.fields : customValueInput(shared.customField, shared.value)
}
