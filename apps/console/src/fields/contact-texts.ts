import type { Email, Phone } from '@sales-crm/client'
import { mailtoHref, telHref } from '../format/links.ts'
import { collapseSpaces } from '../format/typed-text.ts'
import type { ValueLink } from '../records/facts/inline-text.tsx'

/** Addresses in one line, as they are edited. */
export function formatList(values: readonly string[]): string {
  return values.join(', ')
}

/** A cell of a spreadsheet ends with a tab. */
function parseList(text: string): readonly string[] {
  return text
    .split(/[,;\t\n]/)
    .map(collapseSpaces)
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
    (phone) => before.find((each) => collapseSpaces(each.phone) === phone) ?? { phone, type: 'mobile' },
  )
}

export function emailLinks(emails: readonly Email[]): readonly ValueLink[] {
  return emails.map(({ email }) => ({ href: mailtoHref(email), text: email }))
}

export function phoneLinks(phones: readonly Phone[]): readonly ValueLink[] {
  return phones.map(({ phone }) => ({ href: telHref(phone), text: phone }))
}

export function websiteLinks(website: string | null): readonly ValueLink[] {
  return website === null ? [] : [{ href: website, text: website.replace(/^https?:\/\//, '') }]
}
