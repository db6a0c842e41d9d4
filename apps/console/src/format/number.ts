import { findSigns, readDecimal, toAsciiNumber } from './decimal.ts'

/** The number as it is edited: all its digits, without groups. */
export function editableNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumSignificantDigits: 21 }).format(
    `${value}`,
  )
}

/**
 * Reads a number in the form of a locale, or in another where it is not ambiguous. The sign of a currency is left out.
 * @returns undefined if the text is no number
 */
export function parseNumber(text: string, locale: string): number | undefined {
  const signs = findSigns(locale)
  const [, sign, unsigned = ''] = /^([-+−]?)(.*)$/s.exec(toAsciiNumber(text, signs)) ?? []
  const decimal = readDecimal(unsigned.replace(/^\p{L}{0,3}\p{Sc}|\p{Sc}$/gu, ''), signs)
  if (!decimal) return undefined
  const value = Number(`${decimal[0]}.${decimal[1]}`)
  if (!Number.isFinite(value)) return undefined
  return sign === '' || sign === '+' || value === 0 ? value : -value
}
