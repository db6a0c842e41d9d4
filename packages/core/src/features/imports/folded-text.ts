import { foldWords } from '../../kernel/fold-text.ts'

/** The words of the name of a column, separated by spaces: `workE-mail1` is `work e mail 1`. */
export function foldHeader(header: string): string {
  const separate = header.replace(/\p{Ll}(?=\p{Lu})|\p{L}(?=\p{Nd})/gu, '$& ')
  return foldWords(separate).join(' ')
}

/** A text without accents, case, spaces and punctuation, by which texts are compared: `E-mail` is `email`. */
export function compactText(text: string): string {
  return foldWords(text).join('')
}
