import papa from 'papaparse'
import { unguardFormulas } from '../../format/formula-guard.ts'
import { findDelimiter } from './find-delimiter.ts'
import { MAX_ROWS, type Sheet, type SheetError, type SheetRow } from './sheet.ts'

/** Parses the text of a file, or what was copied from a spreadsheet. The first row with content has the heads. */
export function parseSheet(text: string): Sheet | SheetError {
  if (text.includes('\0')) return { code: 'unreadable' }
  const { text: content, delimiter = findDelimiter(content) } = takeSeparatorLine(unifyNewlines(text))
  const { data, errors } = papa.parse(content, { delimiter, newline: '\n' })
  const quote = errors.find(({ type }) => type === 'Quotes')
  if (quote) return { code: 'openQuote', row: (quote.row ?? 0) + 1 }

  const rows = data
    .map((cells, index): SheetRow => ({ number: index + 1, cells: cells.map(unguardFormulas) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const [first, ...others] = rows
  if (!first) return { code: 'empty' }
  if (others.length === 0) return { code: 'onlyHeads' }
  if (others.length > MAX_ROWS) return { code: 'tooManyRows' }
  const heads = trimEnd(first.cells)
  const tooLong = others.find(({ cells }) => trimEnd(cells).length > heads.length)
  if (tooLong) return { code: 'tooManyCells', row: tooLong.number }
  return {
    heads: heads.map((head) => head.trim()),
    rows: others.map(({ number, cells }) => ({ number, cells: heads.map((_, at) => cells[at] ?? '') })),
    delimiter,
  }
}

/** The ends of lines differ in files that several programs wrote, and the parser knows one. */
function unifyNewlines(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\r?\n|\r/g, '\n')
}

/** Excel names the separator in a line of its own. */
function takeSeparatorLine(text: string): { readonly text: string; readonly delimiter?: string } {
  const line = /^sep=(.)\n/i.exec(text)
  // An empty line keeps the numbers of the rows.
  return line ? { text: `\n${text.slice(line[0].length)}`, delimiter: line[1]! } : { text }
}

function trimEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
}
