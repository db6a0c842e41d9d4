import type { Table, TableRow } from '@sales-crm/core/ports'
import { TableError } from '@sales-crm/core/ports'
import { nameColumns } from './columns.ts'
import { type JsonRow, parseJsonRows } from './json-rows.ts'
import { MAX_COLUMNS, tooManyColumns } from './limits.ts'
import { readSample } from './sample.ts'

const SHOWN_KEY_LENGTH = 60

/**
 * Reads UTF-8 as NDJSON. The columns are the keys of the first rows.
 * @throws TableError
 */
export async function readJsonTable(blocks: AsyncGenerator<Buffer>): Promise<Omit<Table, 'encoding'>> {
  const { first, rows } = await readSample(parseJsonRows(blocks))
  const keys = collectKeys(first)
  return {
    columns: nameColumns(keys, keys.length),
    delimiter: undefined,
    rows: arrangeRows(rows, new Set(keys)),
  }
}

function collectKeys(first: readonly JsonRow[]): readonly string[] {
  const keys = new Set<string>()
  for (const { cells, line } of first) {
    for (const key of cells.keys()) keys.add(key)
    if (keys.size > MAX_COLUMNS) throw tooManyColumns({ number: line, line })
  }
  if (keys.size === 0) throw new TableError('empty', 'The file is empty: it has no object with a key.')
  return [...keys]
}

async function* arrangeRows(
  rows: AsyncIterable<JsonRow>,
  keys: ReadonlySet<string>,
): AsyncGenerator<TableRow> {
  for await (const { line, cells } of rows) {
    for (const [key, cell] of cells) if (cell !== '' && !keys.has(key)) throw unknownKey(line, key)
    yield { number: line, cells: Array.from(keys, (key) => cells.get(key) ?? '') }
  }
}

function unknownKey(line: number, key: string): TableError {
  const shown = JSON.stringify(key.slice(0, SHOWN_KEY_LENGTH))
  const message = `Line ${line} has the key ${shown}, which none of the first lines has: add it to the first line.`
  return new TableError('unknown_key', message, line)
}
