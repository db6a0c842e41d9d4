import { removeInvisible } from '../../../kernel/fold-text.ts'
import { toAsciiDigits } from './ascii-digits.ts'
import { isCurrencyName } from './currency-names.ts'

/** The sign before the decimals: `point` for `1,234.56`, `comma` for `1.234,56`. */
export type NumberFormat = 'point' | 'comma'

/** A cell that has the form of a number, in one format at least. */
export interface NumberText {
  readonly isNegative: boolean
  /** The signs or codes of currencies beside it. */
  readonly currencyNames: readonly string[]
  /** ASCII digits with what separates them. Groups are separated by `.`, `,`, `'` or a space. */
  readonly body: string
}

/** The digits before and after the decimal sign. */
export interface Decimal {
  readonly whole: string
  readonly fraction: string
}

/** No number that can be stored is as long. */
const MAX_LENGTH = 60

const SIGN = '[-+\u2212]'
const CURRENCY = '[^\\d .,+\\-\u2212](?:[^\\d +\\-\u2212]*[^\\d ,+\\-\u2212])?'
/** A sign and a currency, in either order, then the digits with what separates them, and a currency. */
const PARTS = new RegExp(
  `^(${SIGN})? *(${CURRENCY})? *(${SIGN})? *([.,]?\\d[\\d.,'\u066b ]*?) *(${CURRENCY})?$`,
  'u',
)

/**
 * Separates the digits of a number from its sign and its currency. A number in parentheses is negative.
 * @returns undefined for another text, or one with a unit
 */
export function parseNumberText(cell: string): NumberText | undefined {
  // Compatibility forms would make digits of powers and fractions.
  if (cell.length > MAX_LENGTH || /\p{No}/u.test(cell)) return undefined
  const text = toAsciiDigits(removeInvisible(cell).normalize('NFKC').trim())
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2019\u066c]/g, "'")
  const inner = /^\((.+)\)$/.exec(text)?.[1]
  const [, sign, before, innerSign, body = '', after] = PARTS.exec(inner ?? text) ?? []
  const signs = [sign, innerSign].filter((each) => each !== undefined)
  const currencyNames = [before, after].filter((each) => each !== undefined)
  const isNumber = body !== '' && signs.length <= (inner === undefined ? 1 : 0)
  if (!isNumber || !currencyNames.every(isCurrencyName)) return undefined
  return { isNegative: inner !== undefined || /[-\u2212]/.test(signs.join('')), currencyNames, body }
}

/**
 * Splits the digits of a number at the decimal sign of a format.
 * @returns undefined if the text is not written in this format
 */
export function splitDecimal(body: string, format: NumberFormat): Decimal | undefined {
  // The Arabic sign is before decimals in every format.
  const isArabic = body.includes('\u066b')
  const sign = isArabic ? '\u066b' : format === 'point' ? '.' : ','
  const [whole = '', fraction = '', ...more] = body.split(sign)
  const hasWhole = isGrouped(whole) || (whole === '' && fraction !== '')
  if (!hasWhole || more.length > 0 || !/^\d*$/.test(fraction)) return undefined
  return { whole: whole.replace(/\D/g, '') || '0', fraction }
}

/**
 * True for digits without groups, with groups of three, or as in India of two and at last of three. No group follows
 * a leading 0.
 */
function isGrouped(whole: string): boolean {
  return (
    /^\d+$/.test(whole) ||
    /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/.test(whole) ||
    /^[1-9]\d?(?:,\d{2})+,\d{3}$/.test(whole)
  )
}
