const FORM = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/
const ALL_EQUAL = /^(.)\1*$/

/** The eleven digits of a CPF, written bare or as `123.456.789-09`. `undefined` when its check digits are wrong. */
export function cpfOf(text: string): string | undefined {
  const written = text.trim()
  if (!FORM.test(written)) return undefined
  const digits = written.replace(/[.-]/g, '')
  // Their check digits are right, but no person has one.
  if (ALL_EQUAL.test(digits)) return undefined
  const base = digits.slice(0, 9)
  const first = `${base}${checkDigit(base)}`
  return digits === `${first}${checkDigit(first)}` ? digits : undefined
}

/** Modulo 11, under weights that rise from 2 at the last digit. */
function checkDigit(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) sum += Number(digits[index]) * (digits.length + 1 - index)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
