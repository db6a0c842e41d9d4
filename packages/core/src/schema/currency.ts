/** The ISO 4217 codes that deals and products can have. */
export const CURRENCIES = [
  'AED',
  'ARS',
  'AUD',
  'BRL',
  'CAD',
  'CHF',
  'CLP',
  'CNY',
  'COP',
  'DKK',
  'EGP',
  'EUR',
  'GBP',
  'HKD',
  'ILS',
  'INR',
  'JPY',
  'KWD',
  'MAD',
  'MXN',
  'MYR',
  'NGN',
  'NOK',
  'NZD',
  'PEN',
  'QAR',
  'SAR',
  'SEK',
  'SGD',
  'TRY',
  'USD',
  'UYU',
  'ZAR',
] as const

/** An ISO 4217 code. */
export type Currency = (typeof CURRENCIES)[number]

/** Maximum of an amount or a price, in minor units. */
export const MAX_AMOUNT = 1e15

/** The ISO 4217 exponent: digits of the minor unit. Intl's differ (COP). */
export function minorUnitDigits(currency: Currency): number {
  if (currency === 'JPY' || currency === 'CLP') return 0
  return currency === 'KWD' ? 3 : 2
}

const formats = new Map<string, Intl.NumberFormat>()

/** Formats an amount in minor units: 123456 BRL in pt-BR is `R$ 1.234,56`. */
export function formatAmount(amount: number, currency: Currency, locale: string): string {
  const digits = minorUnitDigits(currency)
  const key = `${locale} ${currency}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    formats.set(key, format)
  }
  return format.format(amount / 10 ** digits)
}
