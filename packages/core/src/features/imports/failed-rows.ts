import { asService } from '../../engine/workspace-transaction.ts'
import type { Ports } from '../../ports/index.ts'
import { importKey } from '../../schema/import.ts'
import { formatCell, formatRow } from '../exports/cells.ts'
import { FAILURES_COLUMN } from './columns/failures-column.ts'
import type { ImportRecord } from './import-record.ts'
import type { RowResult } from './row-result.ts'

/** Chunks that are read at once. */
const READ_SIZE = 50

/** A row of which something was left out. */
export interface FailedRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly problems: RowResult['problems']
}

/** The rows of which something was left out, in their order. */
export async function* readFailedRows(
  { id, workspace_id, chunks }: ImportRecord,
  { storage }: Pick<Ports, 'storage'>,
): AsyncGenerator<FailedRow> {
  for (let start = 0; start < chunks; start += READ_SIZE) {
    const keys = Array.from({ length: Math.min(READ_SIZE, chunks - start) }, (_, index) =>
      importKey(id, start + index),
    )
    const found = await storage.read((tx) =>
      asService(tx, workspace_id).stores.import_chunks.find([{ field: 'key', oneOf: keys }]),
    )
    const byKey = new Map(found.map((chunk) => [chunk.key, chunk.results as readonly RowResult[]]))
    for (const key of keys)
      for (const { row, cells, problems } of byKey.get(key) ?? []) if (cells) yield { row, cells, problems }
  }
}

/** The failed rows as CSV in the columns of the file, with the reasons in a last one. */
export async function* writeFailedRows(
  record: ImportRecord,
  ports: Pick<Ports, 'storage'>,
): AsyncGenerator<string> {
  yield `\uFEFF${formatRow([...record.columns.map(({ name }) => name), FAILURES_COLUMN].map(formatCell))}`
  for await (const { cells, problems } of readFailedRows(record, ports))
    yield formatRow([...cells, problems.map(describeProblem).join(' ')].map(formatCell))
}

function describeProblem({ column, value, message }: RowResult['problems'][number]): string {
  const shown = value === '' ? '' : ` (${value})`
  return column === '' ? message : `${column}${shown}: ${message}`
}
