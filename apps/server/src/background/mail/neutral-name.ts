const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu
const SPACE = /[\p{Cc}\p{Z}]+/gu
/** Matches a dot followed by a possible host label: at least two characters, one of them a letter. */
const DOT_IN_A_HOST = /(?<=[\p{L}\p{M}\p{N}])[.。](?=[\p{M}\p{N}-]*\p{L})(?=[\p{L}\p{M}\p{N}-]{2})/gu
const MAX_LENGTH = 80

/**
 * Neutralizes a user-chosen name for a mail: one line, at most 80 characters, no invisible or bidirectional
 * characters, and nothing that looks like a link. Mail clients turn link-like text into links, and some
 * ignore invisible characters in it, so such text is broken up by spaces.
 */
export function neutralizeName(name: string): string {
  const plainName = name.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(SPACE, ' ').trim()
  const spacedName = plainName
    .replaceAll(/:(?=[/\\]{2})/g, ': ')
    .replaceAll(/@(?=\S)/g, '@ ')
    .replaceAll(DOT_IN_A_HOST, '$& ')
  const codePoints = Array.from(spacedName)
  if (codePoints.length === 0) return '—'
  return codePoints.length > MAX_LENGTH ? `${codePoints.slice(0, MAX_LENGTH - 1).join('')}…` : spacedName
}
