import type { Currency } from '@sales-crm/client'
import { CURRENCIES, minorUnitDigits } from '@sales-crm/core/browser'
import { findSigns, type NumberSigns, readDecimal, toAsciiNumber } from './decimal.ts'
import { type Amount, currencyFormat, shownDigits, writeDecimal } from './money.ts'

/** The amount as a number to edit, such as `1350,50`. Nothing for 0. */
export function editableMoney({ amount, currency }: Amount, locale: string): string {
  if (amount === 0) return ''
  const digits = minorUnitDigits(currency)
  const format = currencyFormat(currency, locale, shownDigits(amount, digits))
  return joinParts(format, writeDecimal(amount, digits), ['integer', 'decimal', 'fraction'])
}

/** An amount as it is typed in a currency, for messages. */
export function exampleAmount(currency: Currency, locale: string): string {
  const amount = Math.trunc(1350.5 * 10 ** minorUnitDigits(currency))
  return plainMoney({ amount, currency }, locale)
}

/** The amount with its cents and without the currency, for columns whose currency is known. */
export function plainMoney({ amount, currency }: Amount, locale: string): string {
  const digits = minorUnitDigits(currency)
  const format = currencyFormat(currency, locale, digits)
  return joinParts(format, writeDecimal(amount, digits), ['integer', 'group', 'decimal', 'fraction'])
}

function joinParts(
  format: Intl.NumberFormat,
  decimal: Intl.StringNumericLiteral,
  types: readonly Intl.NumberFormatPartTypes[],
): string {
  const parts = format.formatToParts(decimal).filter(({ type }) => types.includes(type))
  return parts.map(({ value }) => value).join('')
}

/**
 * Reads an amount in minor units: what `formatMoney` and `editableMoney` write, and other forms where they are not
 * ambiguous. The sign, the code or the name of the currency may stand before it or after it. Empty text is 0.
 * @returns undefined if the text is not an amount, or one in another currency
 */
export function parseMoney(text: string, currency: Currency, locale: string): number | undefined {
  if (text.trim() === '') return 0
  const { signs, names } = findNotation(currency, locale)
  const ascii = toAsciiNumber(text, signs)
  const number = stripCurrency(ascii, names)
  const decimal = readDecimal(number, signs)
  const digits = minorUnitDigits(currency)
  if (!decimal || decimal[1].length > digits) return undefined
  if (namesOtherCurrency(ascii.replace(number, '').toLowerCase(), currency, locale)) return undefined
  const amount = Number(decimal[0] + decimal[1].padEnd(digits, '0'))
  return Number.isSafeInteger(amount) ? amount : undefined
}

/** Signs of currencies, abbreviations such as `Rs.` and `S/`, and words. */
const BEFORE_NUMBER = /^[\p{L}\p{M}\p{Sc}./]*(?:[\p{L}\p{M}][./]*|\p{Sc})/u

/** A word after a number can be a part of it, as in `15 mil`: only the names of the currency are left out there. */
function stripCurrency(ascii: string, names: readonly string[]): string {
  const text = ascii.replace(BEFORE_NUMBER, '')
  const name = names.find((each) => text.toLowerCase().endsWith(each))
  return name === undefined ? text.replace(/\p{Sc}$/u, '') : text.slice(0, -name.length)
}

/** `$` is a name of each currency that is written with it where the locale does not tell them apart. */
function namesOtherCurrency(name: string, currency: Currency, locale: string): boolean {
  if (name === '' || findNotation(currency, locale).names.includes(name)) return false
  return CURRENCIES.some((each) => findNotation(each, locale).names.includes(name))
}

/** How amounts of a currency are written in a locale. */
interface Notation {
  readonly signs: NumberSigns
  /** In lower case, without white space. */
  readonly names: readonly string[]
}

const notations = new Map<string, Notation>()

function findNotation(currency: Currency, locale: string): Notation {
  const key = `${locale} ${currency}`
  const known = notations.get(key)
  if (known) return known
  const signs = findSigns(locale, { style: 'currency', currency })
  const names = (['symbol', 'narrowSymbol', 'code', 'name'] as const).flatMap((currencyDisplay) => {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
    const name = format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency
    const plain = toAsciiNumber(name, signs).toLowerCase()
    return [plain, plain.replace(/\.$/, '')]
  })
  const notation = { signs, names: names.filter((name) => name !== '') }
  notations.set(key, notation)
  return notation
}
