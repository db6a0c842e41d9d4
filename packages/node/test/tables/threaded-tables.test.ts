import { TableError, type TableOptions, type Tables } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import { readTable } from '../../src/tables/read-table.ts'
import { threadedTables } from '../../src/tables/threaded-tables.ts'

const LONG = Array.from({ length: 20_000 }, (_, row) => `Ana ${row},"a, ""b""\n${row}",é`)

const FILES: [string, Uint8Array | string, Partial<TableOptions>?][] = [
  ['a file of many parts', `Name,Notes,Word\n${LONG.join('\n')}`],
  ['empty cells', 'a,b,c\n,,\n1,,\n,,3\n'],
  ['an empty file', ''],
  ['a header alone', 'a,b'],
  ['no header', '1;2\n3;4', { hasHeader: false }],
  ['Windows-1252', Buffer.from('Nome;Cidade\nJos\xe9;S\xe3o Paulo', 'latin1')],
  ['NDJSON', '{"a":1,"b":["x","y"]}\n{"a":"2"}', { format: 'ndjson' }],
  ['an error in the first row', 'a,b\n"1'],
  ['an error in a late row', `a,b\n${'1,2\n'.repeat(50_000)}1,2,3\n4,5`],
  ['a PDF', '%PDF-1.7'],
]

async function readAll(read: Tables['read'], file: Uint8Array | string, options: Partial<TableOptions> = {}) {
  const bytes = Buffer.from(file)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 196_608) yield bytes.subarray(at, at + 196_608)
  }
  const rows = []
  try {
    const table = await read(chunks(), { format: 'csv', ...options })
    for await (const row of table.rows) rows.push(row)
    const { columns, delimiter, encoding } = table
    return { columns, delimiter, encoding, rows }
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    const { rule, message, line } = error
    return { rule, message, line, rows }
  }
}

test.each<[string, Uint8Array | string, Partial<TableOptions>?]>(FILES)(
  'the thread reads %s as the event loop does',
  async (_, file, options) => {
    expect(await readAll(threadedTables.read, file, options)).toEqual(await readAll(readTable, file, options))
  },
)

test('files are read at once, and one whose rows are not wanted ends early', async () => {
  const [first, second] = await Promise.all(
    ['a\n1\n2', 'b\n3'].map((file) => readAll(threadedTables.read, file)),
  )
  expect([first!.rows.length, second!.rows.length]).toEqual([2, 1])
  let hasEnded = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('Name\n'.repeat(10_000))
    } finally {
      hasEnded = true
    }
  }
  const { rows } = await threadedTables.read(endless(), { format: 'csv' })
  for await (const { number } of rows) if (number > 20_000) break
  expect(hasEnded).toBe(true)
})
