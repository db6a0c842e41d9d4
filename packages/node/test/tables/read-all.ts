import { TableError, type TableOptions, type TableRow } from '@sales-crm/core/ports'
import { readTable } from '../../src/tables/read-table.ts'

type File = string | Uint8Array | AsyncIterable<Uint8Array>

/** What was read of a file, and the error that ended it. */
export interface ReadResult {
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
  readonly error: TableError | undefined
}

/** Reads a whole file, as CSV unless the options say otherwise. */
export async function readAll(file: File, options: Partial<TableOptions> = {}): Promise<ReadResult> {
  const rows: TableRow[] = []
  let columns: readonly string[] = []
  try {
    const chunks = typeof file === 'string' || file instanceof Uint8Array ? streamOf(file) : file
    const table = await readTable(chunks, { format: 'csv', ...options })
    columns = table.columns
    for await (const row of table.rows) rows.push(row)
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    return { columns, rows, error }
  }
  return { columns, rows, error: undefined }
}

/** Returns the cells of all rows. */
export async function readCells(file: File, options: Partial<TableOptions> = {}) {
  const { rows, error } = await readAll(file, options)
  if (error) throw error
  return rows.map(({ cells }) => cells)
}

export async function* streamOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

/** Encodes the characters of Latin-1, and the euro sign. */
export function encodeWindows1252(text: string): Buffer {
  return Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
}

export function encodeUtf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}
