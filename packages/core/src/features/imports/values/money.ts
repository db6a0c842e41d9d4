import { type Currency, minorUnitDigits } from '../../../schema/currency.ts'
import { resolveCurrency } from './currency-names.ts'
import { readDecimal } from './number.ts'
import { type NumberFormat, parseNumberText } from './number-text.ts'

export interface Money {
  /** In minor units of the currency. */
  readonly amount: number
  readonly currency: Currency
}

/**
 * Reads an amount exactly: `R$ 1.234,50`, `12,50 €`, `EUR 12`, `1234.5`.
 * @param currency the currency of a cell that names none
 * @returns undefined for a text that is no amount, one of an unknown currency, or one with a part of a minor unit
 */
export function readMoney(cell: string, format: NumberFormat, currency: Currency): Money | undefined {
  const text = parseNumberText(cell)
  const decimal = text && readDecimal(text.body, format)
  const ownCurrency = text && resolveCurrency(text.currencyNames, currency)
  if (!decimal || !ownCurrency) return undefined
  const digits = minorUnitDigits(ownCurrency)
  if (/[1-9]/.test(decimal.fraction.slice(digits))) return undefined
  const size = BigInt(decimal.whole + decimal.fraction.slice(0, digits).padEnd(digits, '0'))
  if (size > Number.MAX_SAFE_INTEGER) return undefined
  return { amount: text.isNegative ? 0 - Number(size) : Number(size), currency: ownCurrency }
}
