import { foldText } from '@sales-crm/core/browser'

/** The text of a field of one line: what is pasted from a spreadsheet contains tabs and line breaks. */
export function collapseSpaces(typed: string): string {
  return typed.replace(/\s+/g, ' ').trim()
}

/** What a search looks for; undefined while nothing is typed that it could find: `+` or `@` may be the beginning. */
export function readSearch(typed: string | null | undefined): string | undefined {
  const text = typed?.trim() ?? ''
  return /[\p{L}\p{N}]/u.test(foldText(text)) ? text : undefined
}
