import type { CustomFieldType } from '../../../schema/custom-field-types.ts'
import { parseCnpj } from '../../custom-fields/cnpj.ts'
import { parseCpf } from '../../custom-fields/cpf.ts'
import { inferDateFormat, readDate } from '../values/date.ts'
import { inferNumberFormat, readNumber } from '../values/number.ts'
import { readUrl } from '../values/url.ts'
import { listFilled, measureShare } from './sample.ts'

/** The type of a custom field for the values of a column. */
export interface FieldTypeReading {
  readonly type: CustomFieldType
  /** The part of the values that have the type, from 0 to 1. */
  readonly share: number
  /** Of a `select`, the most frequent first. */
  readonly options?: readonly string[]
}

/** Of the values must have a type; the others are shown as errors. */
const MIN_SHARE = 0.95
const MAX_OPTIONS = 20
const MAX_OPTION_LENGTH = 80
/** Each option has so many rows, on average. */
const MIN_ROWS_PER_OPTION = 2
const MAX_TEXT_LENGTH = 255

/** Infers the type of a new custom field: that of the values, or a text for what has no other form. */
export function inferFieldType(values: readonly string[]): FieldTypeReading {
  const filled = listFilled(values)
  if (filled.length === 0) return { type: 'text', share: 0 }
  for (const [type, isOfType] of TYPES) {
    const share = measureShare(filled, isOfType(filled))
    if (share >= MIN_SHARE) return { type, share }
  }
  return inferTextType(values)
}

/** A select of few values that repeat, or a text, whatever the values mean. */
export function inferTextType(values: readonly string[]): FieldTypeReading {
  const options = listOptions(values)
  if (options) return { type: 'select', share: 1, options }
  return { type: listFilled(values).some(isLong) ? 'long_text' : 'text', share: 1 }
}

const TYPES: readonly (readonly [
  CustomFieldType,
  (values: readonly string[]) => (value: string) => boolean,
])[] = [
  ['cpf', () => isCpf],
  ['cnpj', () => isCnpj],
  ['link', () => isLink],
  ['date', isDate],
  ['number', isNumber],
]

/** Eleven digits alone are a phone number as often. */
export function isCpf(value: string): boolean {
  return parseCpf(value) !== undefined && /[.-]/.test(value)
}

export function isCnpj(value: string): boolean {
  return parseCnpj(value) !== undefined
}

function isLink(value: string): boolean {
  return /^(?:https?:\/\/|www\.)/i.test(value) && readUrl(value) !== undefined
}

function isDate(values: readonly string[]): (value: string) => boolean {
  const { order } = inferDateFormat(values)
  // Digits alone are numbers.
  return (value) => !/^\d+$/.test(value) && readDate(value, order) !== undefined
}

/** A code such as `007` or one with many digits is no number. */
function isNumber(values: readonly string[]): (value: string) => boolean {
  const { format } = inferNumberFormat(values)
  const hasCodes = values.some((value) => /^0\d/.test(value) || value.replace(/\D/g, '').length > 15)
  return (value) => !hasCodes && readNumber(value, format) !== undefined
}

function isLong(value: string): boolean {
  return value.length > MAX_TEXT_LENGTH || /[\n\r]/.test(value)
}

/** Returns undefined if the values are not few that repeat. */
function listOptions(values: readonly string[]): readonly string[] | undefined {
  const counts = new Map<string, number>()
  let rows = 0
  for (const value of values) {
    const text = value.trim()
    if (text === '') continue
    rows += 1
    if (text.length > MAX_OPTION_LENGTH || /[\n\r]/.test(text)) return undefined
    counts.set(text, (counts.get(text) ?? 0) + 1)
    if (counts.size > MAX_OPTIONS) return undefined
  }
  if (rows < counts.size * MIN_ROWS_PER_OPTION) return undefined
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([text]) => text)
}
