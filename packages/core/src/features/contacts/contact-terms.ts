import { phoneDigits } from '../../engine/phone-digits.ts'
import { extractPhoneTerms, extractRecordTerms } from '../../engine/search-terms.ts'
import type { EmailEntry, PhoneEntry } from '../../schema/contact.ts'
import { emailFacet, phoneFacet } from '../../schema/facets.ts'

/** Extracts the search terms of a person or company from name, e-mail addresses and phone numbers, with their facets. */
export function extractContactTerms(
  contact: {
    readonly full_name: string
    readonly emails: readonly EmailEntry[]
    readonly phones: readonly PhoneEntry[]
  },
  toPhoneDigits: (phone: string) => string = phoneDigits(undefined, null),
): string[] {
  const { full_name, emails, phones } = contact
  return [full_name, ...emails.map(({ email }) => email)]
    .flatMap(extractRecordTerms)
    .concat(emails.map(({ email }) => emailFacet(email)))
    .concat(phones.flatMap(({ phone }) => [...extractPhoneTerms(phone), phoneFacet(toPhoneDigits(phone))]))
}
