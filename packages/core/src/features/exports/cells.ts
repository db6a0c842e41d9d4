/** What a spreadsheet runs or converts, with the quotes that keep it from doing so. */
const GUARDED = /^'*[=+\-@\t\r]/
/** Also what `GUARDED` was written before: a quote, and those of the text itself. */
const GUARD = /^'+[=+\-@\t\r]/
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/
const SEPARATOR = '; '

/**
 * Returns the cell of a text. A text that a spreadsheet would run gets a leading quote, and so does one that begins with
 * quotes before such a text, so that taking one off always returns the text.
 */
export function formatCell(text: string): string {
  return GUARDED.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
}

/** Reads what `formatCell` returns. */
export function readCell(cell: string): string {
  return GUARD.test(cell) ? cell.slice(1) : cell
}

/** Returns the cell of a list: its texts with `; ` between them, or a JSON array if they could not be told apart. */
export function formatListCell(texts: readonly string[]): string {
  return formatCell(texts.some(isAmbiguous) ? JSON.stringify(texts) : texts.join(SEPARATOR))
}

/** Reads what `formatListCell` returns. Text in brackets that is no array of texts is a text. */
export function readListCell(cell: string): readonly string[] {
  const text = readCell(cell)
  if (text === '') return []
  return (text.startsWith('[') ? parseTexts(text) : undefined) ?? text.split(SEPARATOR)
}

/** Returns a line of a CSV file (RFC 4180), with its line end. */
export function formatRow(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`
}

function isAmbiguous(text: string): boolean {
  return text === '' || text.includes(';') || text.startsWith('[') || text.trim() !== text
}

function parseTexts(json: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
