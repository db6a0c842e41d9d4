import type { Currency } from '@sales-crm/client'

export interface Amount {
  readonly currency: Currency
  /** In minor units. */
  readonly amount: number
}

/** Formats an amount in minor units, with cents only when there are any. */
export function formatMoney({ amount, currency }: Amount, locale: string): string {
  const digits = fractionDigits(currency)
  const major = amount / 10 ** digits
  const minimumFractionDigits = Number.isInteger(major) ? 0 : digits
  return currencyFormat(locale, currency, minimumFractionDigits).format(major)
}

/** An amount as it is typed in the workspace, for messages. */
export function exampleAmount({ locale }: { readonly locale: string }): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1350.5)
}

const digitsByCurrency = new Map<Currency, number>()

export function fractionDigits(currency: Currency): number {
  const known = digitsByCurrency.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  digitsByCurrency.set(currency, digits)
  return digits
}

/** Creating a format takes longer than the formatting of a hundred amounts. */
const currencyFormats = new Map<string, Intl.NumberFormat>()

function currencyFormat(
  locale: string,
  currency: Currency,
  minimumFractionDigits: number,
): Intl.NumberFormat {
  const key = `${locale} ${currency} ${minimumFractionDigits}`
  const known = currencyFormats.get(key)
  if (known) return known
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits,
    maximumFractionDigits: fractionDigits(currency),
  })
  currencyFormats.set(key, format)
  return format
}

/** The amount as a number to edit, such as `1350,5`. */
export function editableMoney({ amount, currency }: Amount, locale: string): string {
  if (amount === 0) return ''
  const digits = fractionDigits(currency)
  const major = amount / 10 ** digits
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: Number.isInteger(major) ? 0 : digits,
    maximumFractionDigits: digits,
  }).format(major)
}

/**
 * Reads an amount in minor units. Accepts the group and decimal signs of the locale, and those of any other where
 * they are not ambiguous: `1.350,50`, `1,350.50`, `1350.5`. Empty text is 0.
 * @returns undefined if the text is not an amount
 */
export function parseMoney(text: string, currency: Currency, locale: string): number | undefined {
  const digits = fractionDigits(currency)
  const plain = text.replace(/\s|^[\s\p{L}\p{Sc}]+|[\s\p{L}\p{Sc}]+$/gu, '')
  if (plain === '') return text.trim() === '' ? 0 : undefined
  if (!/^\d[\d.,]*$/.test(plain)) return undefined
  const decimal = decimalSign(plain, locale)
  const [whole = '', fraction = ''] = decimal ? splitLast(plain, decimal) : [plain]
  if (fraction.length > digits || !GROUPED.test(whole)) return undefined
  const amount = Number(whole.replace(/[.,]/g, '')) * 10 ** digits + Number(fraction.padEnd(digits, '0') || 0)
  return Number.isSafeInteger(amount) ? amount : undefined
}

/** Digits, or groups of three with one sign between them. */
const GROUPED = /^(?:\d+|\d{1,3}([.,])\d{3}(?:\1\d{3})*)$/

/** A sign that repeats, or that three digits follow, groups; unless it is the decimal sign of the locale. */
function decimalSign(text: string, locale: string): string | undefined {
  const last = /[.,](?=[^.,]*$)/.exec(text)?.[0]
  if (last === undefined) return undefined
  const isRepeated = text.split(last).length > 2
  if (isRepeated) return undefined
  const hasOther = /[.,]/.test(text.replace(last, ''))
  const isGroup = /[.,]\d{3}$/.test(text) && !hasOther && last !== localDecimalSign(locale)
  return isGroup ? undefined : last
}

function localDecimalSign(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}

function splitLast(text: string, sign: string): [string, string] {
  const at = text.lastIndexOf(sign)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** The workspace's currency first, the others by size. */
export function sortAmounts<A extends Amount>(amounts: readonly A[], first: Currency): readonly A[] {
  return amounts
    .filter(({ amount }) => amount > 0)
    .toSorted((a, b) => Number(b.currency === first) - Number(a.currency === first) || b.amount - a.amount)
}
