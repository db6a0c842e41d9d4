const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu
const SPACE = /[\p{Cc}\p{Z}]+/gu
/** What follows could be a label of a host's name: two characters at least, and a letter among them. */
const DOT_IN_A_HOST = /(?<=[\p{L}\p{M}\p{N}])[.。](?=[\p{M}\p{N}-]*\p{L})(?=[\p{L}\p{M}\p{N}-]{2})/gu
const LONGEST = 80

/**
 * A name that others chose, for a mail: on one line, without characters that are not seen or turn the text around, and not to be taken
 * for a link. Mail programs make links of what looks like one, and some look through invisible characters: so it is parted by spaces.
 */
export function neutral(name: string): string {
  const plain = name.normalize('NFKC').replaceAll(UNSEEN, '').replaceAll(SPACE, ' ').trim()
  const parted = plain
    .replaceAll(/:(?=[/\\]{2})/g, ': ')
    .replaceAll(/@(?=\S)/g, '@ ')
    .replaceAll(DOT_IN_A_HOST, '$& ')
  const points = Array.from(parted)
  if (points.length === 0) return '—'
  return points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : parted
}
