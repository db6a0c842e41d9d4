import type { DetectedEncoding, Tables } from '@sales-crm/core/ports'
import { readCsvTable } from './csv-table.ts'
import { readJsonTable } from './json-table.ts'
import { transcodeToUtf8 } from './transcode.ts'

/**
 * Reads an uploaded file as a stream of rows, holding a few MiB of it at most. It resolves once the columns are known:
 * from the header and the first 100 rows, or fewer if they have more than 1 MiB.
 * Later errors are thrown by the iteration of the rows, after the rows before them. If the rows are never iterated,
 * the caller closes the source of the chunks.
 * @throws TableError for a file that is no table or breaks a limit
 * @throws the reason of the signal, at the next chunk after an abort
 */
export const readTable: Tables['read'] = async (chunks, options) => {
  const { format, delimiter, hasHeader = true, encoding, signal } = options
  let detected: DetectedEncoding = { encoding: encoding ?? 'utf-8', isGuess: false }
  const blocks = transcodeToUtf8(chunks, {
    encoding,
    signal,
    onDetection: (each) => {
      detected = each
    },
  })
  try {
    const table =
      format === 'ndjson'
        ? await readJsonTable(blocks)
        : await readCsvTable(blocks, { delimiter: format === 'tsv' ? '\t' : delimiter, hasHeader })
    return {
      ...table,
      get encoding() {
        return detected
      },
    }
  } catch (error) {
    await blocks.return(undefined)
    throw error
  }
}
