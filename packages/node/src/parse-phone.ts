import { createRequire } from 'node:module'
import type { ParsePhone } from '@sales-crm/core/ports'
import type { CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** The rules of all countries, which take a tenth of a second to load: with the first number that needs them. */
let library: { readonly parsePhoneNumberFromString: typeof parsePhoneNumberFromString } | undefined

/** A number with its country code and without a national prefix, which `(0)` is. Its digits are its form in E.164. */
const INTERNATIONAL = /^\+[1-9][\d .()-]{6,}$/
const MAX_DIGITS = 15

/** Returns a number in E.164. An extension is left out, and a leading `00` is read as `+`. */
export const parsePhone: ParsePhone = (phone, country) => {
  const text = phone
    .trim()
    .replace(/^tel:/i, '')
    .replace(/\s*(?:ramal|ext\.?|x)\s*\d+$/i, '')
  if (INTERNATIONAL.test(text) && !text.includes('(0')) {
    const digits = text.replaceAll(/\D/g, '')
    return digits.length <= MAX_DIGITS ? `+${digits}` : undefined
  }
  // Brazil's own use of `00`, before the code of a carrier, is rarer than the code of a country after it.
  const international = text.startsWith('00') ? parseNational(`+${text.slice(2)}`, country) : undefined
  return international ?? parseNational(text, country)
}

function parseNational(text: string, country: string | null): string | undefined {
  library ??= createRequire(import.meta.url)('libphonenumber-js/max') as NonNullable<typeof library>
  const number = library.parsePhoneNumberFromString(text, {
    ...(country !== null && { defaultCountry: country as CountryCode }),
    extract: false,
  })
  return number?.isPossible() ? number.number : undefined
}
