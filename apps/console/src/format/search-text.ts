import { foldText } from '@sales-crm/core/browser'

/** What a search looks for; undefined while nothing is typed that it could find: `+` or `@` may be the beginning. */
export function readSearch(typed: string | null | undefined): string | undefined {
  const text = typed?.trim() ?? ''
  return /[\p{L}\p{N}]/u.test(foldText(text)) ? text : undefined
}
