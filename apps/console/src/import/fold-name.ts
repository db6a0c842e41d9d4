import { foldText } from '@sales-crm/core/browser'

/** Without accents, case and repeated spaces, as names are compared. */
export function foldName(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim()
}

/** The words of a column's name, without accents, case and punctuation: `workE-mail1` is `work e mail 1`. */
export function foldHead(text: string): string {
  const separate = text.replace(/\p{Ll}(?=\p{Lu})|\p{L}(?=\p{Nd})/gu, '$& ')
  return foldWords(separate).join(' ')
}

/** The words of a text, without accents, case and punctuation. */
export function foldWords(text: string): readonly string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
}
