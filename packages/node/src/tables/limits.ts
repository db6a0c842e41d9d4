import { TableError } from '@sales-crm/core/ports'
import { formatPosition, type RowPosition } from './row-position.ts'

export const MAX_COLUMNS = 1000
const MEBIBYTE = 1_048_576
/** Of the text in UTF-8. */
export const MAX_CELL_BYTES = MEBIBYTE
/** Of the row in UTF-8 as it is in the file, with quotation marks and delimiters. */
export const MAX_ROW_BYTES = 4 * MEBIBYTE

/** Columns are found from this many rows, fewer if they have more than `MAX_SAMPLE_BYTES`. */
export const SAMPLE_ROWS = 100
export const MAX_SAMPLE_BYTES = MEBIBYTE

export function tooManyColumns(position: RowPosition): TableError {
  const message = `${formatPosition(position)} has more than ${MAX_COLUMNS} columns, which is the limit.`
  return new TableError('too_many_columns', message, position.line)
}

export function rowTooLarge(position: RowPosition): TableError {
  const message = `${formatPosition(position)} has more than 4 MiB, which is the limit for a row.`
  return new TableError('row_too_large', message, position.line)
}

/** @param line where the cell begins */
export function cellTooLarge(line: number): TableError {
  const message = `A cell that begins in line ${line} has more than 1 MiB of text, which is the limit: a closing quotation mark may be missing.`
  return new TableError('cell_too_large', message, line)
}

export function nulCharacter(line: number): TableError {
  const message = `Line ${line} has a NUL character, which is not text: save the file as CSV in UTF-8.`
  return new TableError('nul_character', message, line)
}

/** @param rowBytes size of the row in the file, at least that of its cells */
export function hasTooLargeCell(cells: Iterable<string>, rowBytes: number): boolean {
  return rowBytes > MAX_CELL_BYTES && [...cells].some((cell) => Buffer.byteLength(cell) > MAX_CELL_BYTES)
}
