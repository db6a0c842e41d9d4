import { removeInvisible } from '../../../kernel/fold-text.ts'
import { compactText } from '../folded-text.ts'

/** A text in quotes, in which separators have no meaning, or what is between separators. */
const ITEM = /\s*"((?:[^"]|"")*)"\s*(?=[,;|\n\r]|$)|([^,;|\n\r]+)/g

/**
 * Reads texts that are separated by `,`, `;`, `|`, ` ::: ` or line breaks, each once. Mailchimp quotes them. Google
 * Contacts marks groups of its own by a star, such as `* myContacts`: they are left out.
 */
export function readList(cell: string): readonly string[] {
  const texts = new Map<string, string>()
  for (const [, quoted, plain = ''] of removeInvisible(cell).replaceAll(':::', '\n').matchAll(ITEM)) {
    const text = (quoted?.replaceAll('""', '"') ?? plain).trim()
    const key = compactText(text) || text
    if (text !== '' && !text.startsWith('* ') && !texts.has(key)) texts.set(key, text)
  }
  return [...texts.values()]
}
