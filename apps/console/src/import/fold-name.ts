import { foldText } from '../format/fold-text.ts'

/** Without accents, case and repeated spaces, as names are compared. */
export function foldName(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim()
}

/** Without accents, case and punctuation: `E-mail (2)` is `e mail 2`. */
export function foldHead(text: string): string {
  return foldName(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
