import { checkDigit } from './check-digit.ts'

const WEIGHTS = 8
const FORM = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}$/i

/**
 * The fourteen characters of a CNPJ, letters in upper case, written with the marks of `12.ABC.345/01DE-35` or without. `undefined` when its check
 * digits are wrong. One of digits alone is the older form of the same.
 */
export function parseCnpj(text: string): string | undefined {
  const trimmed = text.trim()
  if (!FORM.test(trimmed)) return undefined
  const characters = trimmed.replace(/[./-]/g, '').toUpperCase()
  // Its check digits are right, but no company has it.
  if (characters === '00000000000000') return undefined
  const base = characters.slice(0, 12)
  const first = `${base}${checkDigit(base, WEIGHTS)}`
  return characters === `${first}${checkDigit(first, WEIGHTS)}` ? characters : undefined
}
