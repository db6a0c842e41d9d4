const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu
const SPACE = /[\p{Cc}\p{Z}]+/gu
/** What follows could be a label of a host's name: two characters at least, and a letter among them. */
const DOT_IN_A_HOST = /(?<=[\p{L}\p{M}\p{N}])[.。](?=[\p{M}\p{N}-]*\p{L})(?=[\p{L}\p{M}\p{N}-]{2})/gu
const MAX_LENGTH = 80

/**
 * A name that others chose, for a mail: on one line, without characters that are not seen or turn the text around, and not to be taken
 * for a link. Mail programs make links of what looks like one, and some look through invisible characters: so it is parted by spaces.
 */
export function neutralizeName(name: string): string {
  const plain = name.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(SPACE, ' ').trim()
  const separated = plain
    .replaceAll(/:(?=[/\\]{2})/g, ': ')
    .replaceAll(/@(?=\S)/g, '@ ')
    .replaceAll(DOT_IN_A_HOST, '$& ')
  const points = Array.from(separated)
  if (points.length === 0) return '—'
  return points.length > MAX_LENGTH ? `${points.slice(0, MAX_LENGTH - 1).join('')}…` : separated
}
