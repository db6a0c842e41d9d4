import type { Delimiter } from '@sales-crm/core/ports'
import { TableError } from '@sales-crm/core/ports'
import type { CsvError, Parser } from 'csv-parse'
import {
  cellTooLarge,
  hasTooLargeCell,
  MAX_CELL_BYTES,
  MAX_COLUMNS,
  MAX_ROW_BYTES,
  rowTooLarge,
  tooManyColumns,
} from './limits.ts'
import { RowBuffer } from './row-buffer.ts'
import { formatPosition, type RowPosition } from './row-position.ts'
import { hasTextAfterQuote } from './text-after-quote.ts'

/** Cells are as they are in the file: their number differs between rows. */
export interface CsvRow extends RowPosition {
  /** At most `MAX_COLUMNS`; in a row with more, another one has the rest of the row. */
  readonly cells: readonly string[]
  readonly bytes: number
}

/** A row as the parser returns it. */
interface ParsedRow {
  readonly number: number
  readonly cells: readonly string[]
  readonly end: number
}

/**
 * Parses UTF-8. Rows without text are left out, but counted.
 * @param firstLine of the blocks, within the file
 * @throws TableError
 */
export async function* parseCsvRows(
  blocks: AsyncIterable<Buffer>,
  delimiter: Delimiter,
  firstLine: number,
): AsyncGenerator<CsvRow> {
  const parsing = await startParsing(delimiter)
  const { parser, rows } = parsing
  const buffer = new RowBuffer(firstLine)
  try {
    for await (const block of blocks) {
      buffer.append(block)
      const error = await settle((done) => parser.write(block, done))
      for (const row of rows.splice(0)) yield* checkRow(row, buffer, delimiter)
      buffer.skipLineBreaks()
      if (error) throw explainError(error, parsing, buffer)
      // The parser counts the two quotation marks of a pair as one byte.
      if (buffer.length > 2 * MAX_ROW_BYTES) throw rowTooLarge(openRow(parsing, buffer))
    }
    const error = await settle((done) => parser.end(done))
    for (const row of rows.splice(0)) yield* checkRow(row, buffer, delimiter)
    if (error) throw explainError(error, parsing, buffer)
  } finally {
    parser.destroy()
  }
}

interface Parsing {
  readonly parser: Parser
  /** Parsed since the last write. */
  readonly rows: ParsedRow[]
  /** The number of the last row, blank lines included. */
  readonly count: () => number
}

async function startParsing(delimiter: Delimiter): Promise<Parsing> {
  // Loaded on first use, to keep it out of the start.
  const { parse } = await import('csv-parse')
  const rows: ParsedRow[] = []
  let records = 0
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\r\n', '\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_BYTES,
    skip_empty_lines: true,
    // A quotation mark within an unquoted cell is text, as in `55" TV`.
    relax_quotes: true,
    relax_column_count: true,
    // Bounds the cells of a row: the one after the last column has the rest of the row.
    ignore_last_delimiters: MAX_COLUMNS + 1,
    // Rows that go through the stream are lost when a later one in the same block is an error.
    on_record: (cells: string[], { bytes }) => {
      records++
      // Each row is a first one, whose length is expected. The parser builds an Error for each other length.
      Object.assign(parser.info, { records: 0 })
      rows.push({ number: count(), cells: dropEmptyRest(cells, delimiter), end: bytes })
      return undefined
    },
  })
  const count = () => records + parser.info.empty_lines
  // Errors are taken from the callbacks of writes.
  parser.on('error', () => {})
  return { parser, rows, count }
}

/** Spreadsheets with a format in far columns are saved with thousands of empty cells. */
function dropEmptyRest(cells: readonly string[], delimiter: Delimiter): readonly string[] {
  const rest = cells[MAX_COLUMNS]
  const isEmpty = rest?.replaceAll(delimiter, '').trim() === ''
  return isEmpty ? cells.slice(0, MAX_COLUMNS) : cells
}

/** Yields the row if it has text. */
function* checkRow(
  { number, cells, end }: ParsedRow,
  buffer: RowBuffer,
  delimiter: Delimiter,
): Generator<CsvRow> {
  buffer.skipLineBreaks()
  const row = { number, line: buffer.line, cells, bytes: end - buffer.start }
  if (row.bytes > MAX_ROW_BYTES) throw rowTooLarge(row)
  if (cells.length <= MAX_COLUMNS && hasTooLargeCell(cells, row.bytes)) throw cellTooLarge(row.line)
  // The parser keeps the quotation marks of such cells.
  if (cells.some((cell) => cell.startsWith('"')) && hasTextAfterQuote(buffer.readTo(end), delimiter)) {
    const message = `${formatPosition(row)} has text after a closing quotation mark: write quotation marks within a quoted cell twice.`
    throw new TableError('text_after_quote', message, row.line)
  }
  buffer.skipTo(end)
  if (cells.some((cell) => cell.trim() !== '')) yield row
}

/** Returns the position of the row that the buffer starts with. */
function openRow({ count }: Parsing, { line }: RowBuffer): RowPosition {
  return { number: count() + 1, line }
}

/** Explains an error of the parser, whose `bytes` are the end of the last cell, and `column` the cells before it. */
function explainError(error: CsvError, parsing: Parsing, buffer: RowBuffer): Error {
  const row = openRow(parsing, buffer)
  const cellStart = Number(error['bytes'])
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    if (Number(error['column']) >= MAX_COLUMNS) return tooManyColumns(row)
    if (cellStart - buffer.start > MAX_ROW_BYTES - MAX_CELL_BYTES) return rowTooLarge(row)
    buffer.skipTo(cellStart)
    return cellTooLarge(buffer.line)
  }
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED') return error
  buffer.skipTo(cellStart)
  const message = `A quotation mark in line ${buffer.line} opens a cell that is never closed.`
  return new TableError('unclosed_quote', message, buffer.line)
}

/** Resolves with the error of a write, if any. */
function settle(write: (done: (error?: Error | null) => void) => void): Promise<CsvError | undefined> {
  return new Promise((resolve) => write((error) => resolve((error ?? undefined) as CsvError | undefined)))
}
