import { checkDigit } from './check-digit.ts'

const WEIGHTS = 10
const FORM = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/
const ALL_EQUAL = /^(.)\1*$/

/** The eleven digits of a CPF, written with the marks of `123.456.789-09` or without. `undefined` when its check digits are wrong. */
export function parseCpf(text: string): string | undefined {
  const trimmed = text.trim()
  if (!FORM.test(trimmed)) return undefined
  const digits = trimmed.replace(/[.-]/g, '')
  // Their check digits are right, but no person has one.
  if (ALL_EQUAL.test(digits)) return undefined
  const base = digits.slice(0, 9)
  const first = `${base}${checkDigit(base, WEIGHTS)}`
  return digits === `${first}${checkDigit(first, WEIGHTS)}` ? digits : undefined
}
