import { readCsvTable } from './csv-table.ts'
import type { Delimiter } from './detect-delimiter.ts'
import type { Encoding } from './detect-encoding.ts'
import { readJsonTable } from './json-table.ts'
import type { Table } from './table.ts'
import { transcodeToUtf8 } from './transcode.ts'

export type TableFormat = 'csv' | 'tsv' | 'ndjson'

export interface TableOptions {
  readonly format: TableFormat
  /** Detected if undefined. */
  readonly encoding?: Encoding | undefined
  /** Of CSV; detected if undefined. */
  readonly delimiter?: Delimiter | undefined
  /** Of CSV and TSV. True if undefined. */
  readonly hasHeader?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads an uploaded file as a stream of rows, holding a few MiB of it at most. It resolves once the columns are known:
 * from the header and the first 100 rows, or fewer if they have more than 1 MiB.
 * Later errors are thrown by the iteration of the rows, after the rows before them. If the rows are never iterated,
 * the caller closes the source of the chunks.
 * @throws TableError for a file that is no table or breaks a limit
 * @throws the reason of the signal, at the next chunk after an abort
 */
export async function readTable(chunks: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Table> {
  const { format, delimiter, hasHeader = true, ...source } = options
  const blocks = transcodeToUtf8(chunks, source)
  try {
    if (format === 'ndjson') return await readJsonTable(blocks)
    return await readCsvTable(blocks, { delimiter: format === 'tsv' ? '\t' : delimiter, hasHeader })
  } catch (error) {
    await blocks.return(undefined)
    throw error
  }
}
