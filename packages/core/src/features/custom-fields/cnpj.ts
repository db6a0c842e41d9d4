import { computeCheckDigit } from './check-digit.ts'

export const CNPJ_RULE = 'Must be a CNPJ with valid check digits, such as 12.ABC.345/01DE-35.'

const WEIGHT_COUNT = 8
const PATTERN = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}$/i

/**
 * Parses a CNPJ, with or without the punctuation of `12.ABC.345/01DE-35`, into its fourteen characters,
 * letters in upper case. Returns undefined for another format or wrong check digits. A CNPJ of digits only is
 * the older format.
 */
export function parseCnpj(text: string): string | undefined {
  const trimmedText = text.trim()
  if (!PATTERN.test(trimmedText)) return undefined
  const characters = trimmedText.replace(/[./-]/g, '').toUpperCase()
  // Valid check digits, but no company has this number.
  if (characters === '00000000000000') return undefined
  const base = characters.slice(0, 12)
  const withFirstDigit = `${base}${computeCheckDigit(base, WEIGHT_COUNT)}`
  const withBothDigits = `${withFirstDigit}${computeCheckDigit(withFirstDigit, WEIGHT_COUNT)}`
  return characters === withBothDigits ? characters : undefined
}
