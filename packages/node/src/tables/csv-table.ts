import type { Delimiter, Table, TableRow } from '@sales-crm/core/ports'
import { TableError } from '@sales-crm/core/ports'
import { countFilled, nameColumns } from './columns.ts'
import { type CsvRow, parseCsvRows } from './csv-rows.ts'
import { detectDelimiter, findSeparatorLine, isDelimiter } from './detect-delimiter.ts'
import { MAX_COLUMNS, tooManyColumns } from './limits.ts'
import { formatPosition } from './row-position.ts'
import { readSample } from './sample.ts'

/** A table of decoded text. */
export type DecodedTable = Omit<Table, 'encoding'>

export interface CsvOptions {
  /** Detected if undefined. */
  readonly delimiter: Delimiter | undefined
  readonly hasHeader: boolean
}

/**
 * Reads UTF-8 as CSV. The first block has to hold enough lines to detect the delimiter.
 * @throws TableError
 */
export async function readCsvTable(
  blocks: AsyncGenerator<Buffer>,
  options: CsvOptions,
): Promise<DecodedTable> {
  const { value: head } = await blocks.next()
  const headText = head?.toString() ?? ''
  const separatorLine = findSeparatorLine(headText)
  const delimiter = options.delimiter ?? chooseDelimiter(headText, separatorLine?.separator)
  const start = Buffer.byteLength(separatorLine?.line ?? '')
  const parts = chainBlocks(head?.subarray(start), blocks)
  const { first, rows } = await readSample(parseCsvRows(parts, delimiter, separatorLine ? 2 : 1))
  const header = options.hasHeader ? first[0] : undefined
  const columns = nameColumns(header?.cells ?? [], countColumns(first, header))
  return { columns, delimiter, rows: fillRows(rows, columns.length, header) }
}

function chooseDelimiter(headText: string, separator: string | undefined): Delimiter {
  if (separator === undefined || isDelimiter(separator)) return detectDelimiter(headText)
  const message = `Line 1 names the delimiter ${separator}, but it must be a comma, a semicolon, a tab or a bar.`
  throw new TableError('unknown_delimiter', message, 1)
}

async function* chainBlocks(
  head: Buffer | undefined,
  blocks: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    if (head) yield head
    yield* blocks
  } finally {
    await blocks.return(undefined)
  }
}

/** Counts the columns with a name or, in the first rows, a value. With a header, it has a cell for each. */
function countColumns(first: readonly CsvRow[], header: CsvRow | undefined): number {
  if (!first[0]) throw new TableError('empty', 'The file is empty: it has no row with text.')
  const limit = header?.cells.length ?? MAX_COLUMNS + 1
  const count = Math.max(...first.map(({ cells }) => Math.min(countFilled(cells), limit)))
  if (count > MAX_COLUMNS) throw tooManyColumns(first.find(({ cells }) => cells.length > MAX_COLUMNS)!)
  return count
}

async function* fillRows(
  rows: AsyncIterable<CsvRow>,
  length: number,
  header: CsvRow | undefined,
): AsyncGenerator<TableRow> {
  for await (const row of rows) {
    if (row === header) continue
    const count = countFilled(row.cells)
    if (count > length) throw extraCells(row, count, length)
    yield { number: row.number, cells: Array.from({ length }, (_, index) => row.cells[index] ?? '') }
  }
}

function extraCells(row: CsvRow, count: number, length: number): TableError {
  const cells = count > MAX_COLUMNS ? `more than ${MAX_COLUMNS}` : count
  const columns = `${length} ${length === 1 ? 'column' : 'columns'}`
  const message = `${formatPosition(row)} has ${cells} cells, but the table has ${columns}: put text with the delimiter in quotation marks.`
  return new TableError('extra_cells', message, row.line)
}
