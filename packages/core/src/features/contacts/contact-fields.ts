import * as v from 'valibot'
import { email, oneOf } from '../../engine/field-schemas.ts'
import { listOf, object } from '../../engine/object-schemas.ts'
import { extractPhoneTerms, extractTerms } from '../../engine/search-terms.ts'
import { jsonSchema, singleLineText } from '../../engine/text-schemas.ts'
import type { EmailEntry, PhoneEntry } from '../../schema/contact.ts'

const phone = v.pipe(
  singleLineText(3, 30),
  v.check((value) => /^[0-9 +().-]+$/.test(value), 'Must hold only digits, spaces and + - . ( ).'),
  jsonSchema({ pattern: '^[0-9 +().-]+$' }),
)

export const emails = listOf(
  object({ email, type: v.nullish(oneOf(['work', 'home', 'other']), 'work') }),
  0,
  20,
  'entries',
)

export const phones = listOf(
  object({ phone, type: v.nullish(oneOf(['mobile', 'work', 'home', 'other']), 'mobile') }),
  0,
  20,
  'entries',
)

/** Extracts the search terms of a person or company from name, e-mail addresses and phone numbers. */
export function extractContactTerms(contact: {
  readonly full_name: string
  readonly emails: readonly EmailEntry[]
  readonly phones: readonly PhoneEntry[]
}): string[] {
  const { full_name, emails, phones } = contact
  return [full_name, ...emails.map(({ email }) => email)]
    .flatMap(extractTerms)
    .concat(phones.flatMap(({ phone }) => extractPhoneTerms(phone)))
}
