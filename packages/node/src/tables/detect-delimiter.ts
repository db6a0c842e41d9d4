import type { Delimiter } from '@sales-crm/core/ports'

/** In the order of preference: a comma may also be a decimal sign. */
const DELIMITERS: readonly Delimiter[] = [';', '\t', ',', '|']
const COMPARED_ROWS = 20
const SEPARATOR_LINE = /^\uFEFF?sep=(.)(?:\r\n|\n|\r|$)/iu

/** The line in which Excel names the delimiter. It is no row. */
export interface SeparatorLine {
  readonly separator: string
  /** With its line break. */
  readonly line: string
}

export function findSeparatorLine(headText: string): SeparatorLine | undefined {
  const [line, separator] = SEPARATOR_LINE.exec(headText) ?? []
  return line !== undefined && separator !== undefined ? { separator, line } : undefined
}

export function isDelimiter(text: string): text is Delimiter {
  return (DELIMITERS as readonly string[]).includes(text)
}

/**
 * Detects the delimiter from the first rows, or from a line `sep=;`. A row with fewer cells than the first supports
 * a delimiter, a row with more contradicts it. Without any delimiter, it is a comma.
 */
export function detectDelimiter(headText: string): Delimiter {
  const separator = findSeparatorLine(headText)?.separator
  if (separator !== undefined && isDelimiter(separator)) return separator
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, ...scoreDelimiter(headText, delimiter) }))
  const [best] = scores.toSorted((a, b) => b.share - a.share || b.first - a.first)
  return best && best.share > 0 ? best.delimiter : ','
}

/** Returns the share of rows that support a delimiter, and how often the first row has it. */
function scoreDelimiter(headText: string, delimiter: Delimiter) {
  const counts = countInRows(headText, delimiter)
  const [first = 0] = counts
  const supporting = counts.filter((count) => count > 0 && count <= first).length
  return { share: counts.length === 0 ? 0 : supporting / counts.length, first }
}

/** Counts a delimiter outside quotes, in the first rows with text. The last row counts if it is the only one. */
function countInRows(headText: string, delimiter: Delimiter): readonly number[] {
  const counts: number[] = []
  let count = 0
  let isQuoted = false
  let hasText = false
  for (let index = 0; index < headText.length && counts.length < COMPARED_ROWS; index++) {
    const character = headText[index]!
    if (isQuoted) isQuoted = character !== '"'
    else if (character === '"') isQuoted = canOpenQuote(headText[index - 1], delimiter)
    else if (character === '\n' || character === '\r') {
      if (hasText) counts.push(count)
      count = 0
      hasText = false
      continue
    } else if (character === delimiter && !isDecimalComma(headText, index)) count++
    if (!/[\s,;|]/.test(character)) hasText = true
  }
  if (counts.length === 0 && hasText) counts.push(count)
  return counts
}

/** A quotation mark within an unquoted cell is text, as in `55" TV`. The second of a pair opens the cell again. */
function canOpenQuote(previous: string | undefined, delimiter: Delimiter): boolean {
  return previous === undefined || ['"', '\n', '\r', '\uFEFF', delimiter].includes(previous)
}

function isDecimalComma(text: string, index: number): boolean {
  return text[index] === ',' && /\d/.test(text[index - 1] ?? '') && /\d/.test(text[index + 1] ?? '')
}
