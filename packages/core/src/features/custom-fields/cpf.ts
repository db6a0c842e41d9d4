import { computeCheckDigit } from './check-digit.ts'

export const CPF_RULE = 'Must be a CPF with valid check digits, such as 123.456.789-09.'

const WEIGHT_COUNT = 10
const PATTERN = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/
const ALL_EQUAL = /^(.)\1*$/

/**
 * Parses a CPF, with or without the punctuation of `123.456.789-09`, into its eleven digits. Returns
 * undefined for another format or wrong check digits.
 */
export function parseCpf(text: string): string | undefined {
  const trimmedText = text.trim()
  if (!PATTERN.test(trimmedText)) return undefined
  const digits = trimmedText.replace(/[.-]/g, '')
  // Valid check digits, but no person has such a number.
  if (ALL_EQUAL.test(digits)) return undefined
  const base = digits.slice(0, 9)
  const withFirstDigit = `${base}${computeCheckDigit(base, WEIGHT_COUNT)}`
  const withBothDigits = `${withFirstDigit}${computeCheckDigit(withFirstDigit, WEIGHT_COUNT)}`
  return digits === withBothDigits ? digits : undefined
}
