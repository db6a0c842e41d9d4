/** Spreadsheets run a cell that begins with one of these signs, also in their full-width forms. */
const SIGN = '[=+\\-@＝＋－＠]'
/** A program that separates cells otherwise may begin one here. */
const CELL_START = '(?<=^|[;\\t\\r\\n])'
const UNGUARDED = new RegExp(`${CELL_START}(?=${SIGN})|^(?=[\\t\\r\\n])`, 'g')
const GUARDED = new RegExp(`${CELL_START}'(?=${SIGN})|^'(?=[\\t\\r\\n])`, 'g')

/** Puts an apostrophe before what a spreadsheet would run as a formula. */
export function guardFormulas(text: string): string {
  return text.replace(UNGUARDED, "'")
}

/** Removes the apostrophes of `guardFormulas`. */
export function unguardFormulas(text: string): string {
  return text.replace(GUARDED, '')
}
