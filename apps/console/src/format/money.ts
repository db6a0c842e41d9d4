import type { Currency } from '@sales-crm/client'
import { minorUnitDigits } from '@sales-crm/core/browser'

export interface Amount {
  readonly currency: Currency
  /** In minor units. */
  readonly amount: number
}

/** Formats an amount in minor units, with cents only when there are any. */
export function formatMoney({ amount, currency }: Amount, locale: string): string {
  const digits = minorUnitDigits(currency)
  return currencyFormat(currency, locale, shownDigits(amount, digits)).format(writeDecimal(amount, digits))
}

/** Of the minor unit: none for a whole amount. */
export function shownDigits(amount: number, digits: number): number {
  return amount % 10 ** digits === 0 ? 0 : digits
}

/** Writes minor units as a decimal number with a point, exactly. */
export function writeDecimal(amount: number, digits: number): Intl.StringNumericLiteral {
  const text = String(amount).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return (digits === 0 ? whole : `${whole}.${text.slice(-digits)}`) as Intl.StringNumericLiteral
}

/** Creating a format takes longer than the formatting of a hundred amounts. */
const currencyFormats = new Map<string, Intl.NumberFormat>()

export function currencyFormat(currency: Currency, locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${digits}`
  const known = currencyFormats.get(key)
  if (known) return known
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  currencyFormats.set(key, format)
  return format
}

/** The workspace's currency first, the others by size. */
export function sortAmounts<A extends Amount>(amounts: readonly A[], first: Currency): readonly A[] {
  return amounts
    .filter(({ amount }) => amount > 0)
    .toSorted((a, b) => Number(b.currency === first) - Number(a.currency === first) || b.amount - a.amount)
}
