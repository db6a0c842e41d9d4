import { extractPhoneTerms, extractRecordTerms } from '../../engine/search-terms.ts'
import type { EmailEntry, PhoneEntry } from '../../schema/contact.ts'

/** Extracts the search terms of a person or company from name, e-mail addresses and phone numbers. */
export function extractContactTerms(contact: {
  readonly full_name: string
  readonly emails: readonly EmailEntry[]
  readonly phones: readonly PhoneEntry[]
}): string[] {
  const { full_name, emails, phones } = contact
  return [full_name, ...emails.map(({ email }) => email)]
    .flatMap(extractRecordTerms)
    .concat(phones.flatMap(({ phone }) => extractPhoneTerms(phone)))
}
