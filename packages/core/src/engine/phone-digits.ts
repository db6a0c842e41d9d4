import type { ParsePhone } from '../ports/parse-phone.ts'

/**
 * Returns a function from a phone number to its digits in E.164. A number that has no such form, such as an extension,
 * keeps its own digits.
 */
export function phoneDigits(
  parsePhone: ParsePhone | undefined,
  country: string | null,
): (phone: string) => string {
  return (phone) => (parsePhone?.(phone, country) ?? phone).replaceAll(/\D/g, '')
}
