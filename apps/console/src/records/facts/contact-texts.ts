import type { Email, Phone } from '@sales-crm/client'

/** Addresses in one line, as they are edited. */
export function formatList(values: readonly string[]): string {
  return values.join(', ')
}

export function parseList(text: string): readonly string[] {
  return text
    .split(/[,;\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** The edited addresses, which keep the types of those that were there. */
export function parseEmails(text: string, before: readonly Email[]): Email[] {
  return parseList(text).map(
    (email) => before.find((each) => each.email === email) ?? { email, type: 'work' },
  )
}

export function parsePhones(text: string, before: readonly Phone[]): Phone[] {
  return parseList(text).map(
    (phone) => before.find((each) => each.phone === phone) ?? { phone, type: 'mobile' },
  )
}
