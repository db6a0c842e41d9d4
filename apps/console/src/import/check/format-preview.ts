import type { RecordPreview } from '@sales-crm/client'
import type { Console } from '../../app/console-context.ts'
import { fieldLabel, type LabelSource, serviceLabel } from '../columns/target-label.ts'

type Formatting = LabelSource & Pick<Console, 'dates' | 'formatAmount' | 'formatNumber'>

/** What is said elsewhere: the name, what belongs to an amount, and ids of records. */
const HIDDEN = /^(?:full_name|name|title|currency|entity|external_ids|.+_id)$/
const MAX_LENGTH = 60

/** The values of a record that will be written, in words. */
export function formatPreview({ fields, name }: RecordPreview, formatting: Formatting): readonly string[] {
  const entries = Object.entries(fields).filter(
    ([field, value]) => !HIDDEN.test(field) && value !== null && value !== undefined && value !== name,
  )
  return entries.flatMap(([field, value]) => {
    if (field === 'custom_fields') return formatCustomValues(value, formatting)
    if (field === 'content_html') return []
    const text = formatValue(field, value, fields, formatting)
    return text === '' ? [] : [shorten(text)]
  })
}

function formatValue(
  field: string,
  value: unknown,
  fields: RecordPreview['fields'],
  { dates, formatAmount, formatNumber, texts, shared }: Formatting,
): string {
  const currency = fields['currency']
  if (typeof value === 'number' && (field === 'amount' || field === 'price_cts'))
    return typeof currency === 'string'
      ? formatAmount({ amount: value, currency: currency as never })
      : formatNumber(value / 100)
  if (/_(?:at|date)$/.test(field))
    return `${serviceLabel(field, { texts, shared })}: ${dates.dayWithYear(new Date(String(value)))}`
  if (typeof value === 'boolean') return value ? serviceLabel(field, { texts, shared }) : ''
  return Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)
}

function formatCustomValues(values: unknown, formatting: Formatting): readonly string[] {
  return (values as readonly { readonly key: string; readonly value: unknown }[]).map(({ key, value }) => {
    const options = formatting.fields.find((field) => field.key === key)?.value?.select_list ?? []
    const nameOf = (each: unknown) => options.find((option) => option.key === each)?.option ?? textOf(each)
    const text = Array.isArray(value) ? value.map(nameOf).join(', ') : nameOf(value)
    return shorten(`${fieldLabel({ field: `custom_fields.${key}` }, formatting)}: ${text}`)
  })
}

/** An address, a number, a name, or the parts of an object. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { email, phone, ...others } = value as Readonly<Record<string, unknown>>
  return String(email ?? phone ?? Object.values(others).filter(Boolean).join(', '))
}

function shorten(text: string): string {
  const letters = [...text]
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH).join('')}…` : text
}
