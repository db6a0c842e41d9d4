import * as v from 'valibot'
import { extractPhoneTerms, extractRecordTerms } from '../../engine/search-terms.ts'
import { email, oneOf } from '../../kernel/field-schemas.ts'
import { removeInvisible } from '../../kernel/fold-text.ts'
import { listOf, object } from '../../kernel/object-schemas.ts'
import { jsonSchema, singleLineText, string } from '../../kernel/text-schemas.ts'
import type { EmailEntry, PhoneEntry } from '../../schema/contact.ts'

const pastedEmail = v.pipe(
  string,
  jsonSchema({ maxLength: 254, format: 'email' }),
  v.transform(removeInvisible),
  email,
)

const phone = v.pipe(
  string,
  jsonSchema({ minLength: 3, maxLength: 30, pattern: '^[0-9 +().-]+$' }),
  v.transform(removeTypography),
  singleLineText(3, 30),
  v.check((value) => /^[0-9 +().-]+$/.test(value), 'Must hold only digits, spaces and + - . ( ).'),
)

/** Replaces the spaces and hyphens of typeset numbers by plain ones. */
function removeTypography(text: string): string {
  return removeInvisible(text)
    .replaceAll(/\p{Space_Separator}/gu, ' ')
    .replaceAll(/[\u2010-\u2013]/g, '-')
}

const emailEntry = object({
  email: pastedEmail,
  type: v.nullish(oneOf(['work', 'home', 'other']), 'work'),
})

/** E-mail addresses, each once in any case. */
export const emails = v.pipe(
  listOf(emailEntry, 0, 20, 'entries'),
  distinctEntries<v.InferOutput<typeof emailEntry>>('email', ({ email }) => email.toLowerCase()),
)

const phoneEntry = object({
  phone,
  type: v.nullish(oneOf(['mobile', 'work', 'home', 'other']), 'mobile'),
})

/** Phone numbers, each once by its digits. */
export const phones = v.pipe(
  listOf(phoneEntry, 0, 20, 'entries'),
  distinctEntries<v.InferOutput<typeof phoneEntry>>(
    'phone',
    ({ phone }) => phone.replaceAll(/\D/g, '') || phone,
  ),
)

/** Sets an error at `field` of each entry that has the form of an earlier one. */
function distinctEntries<Entry extends Record<string, unknown>>(
  field: keyof Entry & string,
  formOf: (entry: Entry) => string,
) {
  return v.rawCheck<Entry[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    const forms = input.map(formOf)
    for (const [key, entry] of input.entries()) {
      if (forms.indexOf(forms[key]!) === key) continue
      const path = [
        { type: 'array', origin: 'value', input, key, value: entry },
        { type: 'object', origin: 'value', input: entry, key: field, value: entry[field] },
      ] as const
      addIssue({ message: 'Must not be the same as another one.', path: [...path] })
    }
  })
}

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
