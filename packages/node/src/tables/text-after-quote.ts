import type { Delimiter } from '@sales-crm/core/ports'

/**
 * Checks whether a quoted cell of a row has text after its closing quotation mark. It is a sign of a quotation mark
 * that is missing or not doubled, after which cells and rows are joined.
 */
export function hasTextAfterQuote(row: string, delimiter: Delimiter): boolean {
  for (let start = 0; start < row.length; ) {
    const isQuoted = row[start] === '"'
    const end = isQuoted ? findClosingQuote(row, start) + 1 : findEnd(row, delimiter, start)
    if (isQuoted && end < row.length && !isCellEnd(row[end], delimiter)) return true
    start = end + 1
  }
  return false
}

/** Finds the quotation mark that is not one of a pair. */
function findClosingQuote(row: string, start: number): number {
  let index = start + 1
  for (;;) {
    index = row.indexOf('"', index)
    if (index < 0) return row.length
    if (row[index + 1] !== '"') return index
    index += 2
  }
}

function findEnd(row: string, delimiter: Delimiter, start: number): number {
  const end = row.indexOf(delimiter, start)
  return end < 0 ? row.length : end
}

/** Rows end with their line break. */
function isCellEnd(character: string | undefined, delimiter: Delimiter): boolean {
  return character === delimiter || character === '\n' || character === '\r'
}
