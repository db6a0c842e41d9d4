import { describe, expect, test, vi } from 'vitest'
import { readAll } from '../../test/tables/read-all.ts'

const MEBIBYTE = 1_048_576

describe('readTable', () => {
  test.each([
    ['The file is empty: it has no row with text.', ''],
    ['The file is empty: it has no row with text.', '\uFEFF\r\n ,\n\n'],
    ['The file is empty: it has no row with text.', 'sep=;\n'],
    ['Line 1 names the delimiter ^, but it must be a comma, a semicolon, a tab or a bar.', 'sep=^\na^b\n'],
    [
      'Line 3 has 3 cells, but the table has 2 columns: put text with the delimiter in quotation marks.',
      'a,b\n1,2\n1,2,3\n',
    ],
    [
      'Line 4 has 2 cells, but the table has 1 column: put text with the delimiter in quotation marks.',
      'a\n\n\n1,2\n',
    ],
    [
      'Line 4 (row 3 of the table) has 3 cells, but the table has 2 columns: put text with the delimiter in quotation marks.',
      'a,b\n1,"2\n2"\n1,2,3\n',
    ],
    [
      'Line 2 has more than 1000 cells, but the table has 1 column: put text with the delimiter in quotation marks.',
      `a\n1${',1'.repeat(5000)}`,
    ],
    ['A quotation mark in line 3 opens a cell that is never closed.', 'a,b\n"1\n2","3\n4,5\n'],
    [
      'Line 2 has text after a closing quotation mark: write quotation marks within a quoted cell twice.',
      'a,b\n"A,1\n"B",2\n"C",3\n',
    ],
    ['Line 3 has a NUL character, which is not text: save the file as CSV in UTF-8.', 'a,b\n\n1,\0\n'],
    ['Line 1 has more than 1000 columns, which is the limit.', `${'c,'.repeat(9_999)}c\n`],
    ['Line 1 has more than 1000 columns, which is the limit.', `${'c,'.repeat(1000)}c\n`],
    [
      'Line 50002 is not valid UTF-8: save the file as CSV in UTF-8, or choose its encoding.',
      Buffer.concat([Buffer.from(`a\n${'é\n'.repeat(50_000)}`), Buffer.from('José\n', 'latin1')]),
    ],
    [
      'Line 2 is not valid UTF-8: save the file as CSV in UTF-8, or choose its encoding.',
      Buffer.from('a\né€').subarray(0, -1),
    ],
  ])('refuses a file with the message "%s"', async (message, file) => {
    expect((await readAll(file)).error?.message).toBe(message)
  })

  test.each([
    ['a PDF document', '%PDF-1.7\n'],
    ['an Excel workbook (XLSX)', 'PK\x03\x04....[Content_Types].xml....xl/workbook.xml'],
    ['an ODS spreadsheet', 'PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK'],
    ['a ZIP archive', 'PK\x03\x04....a.csv'],
    ['an Excel workbook (XLS)', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['a gzip file', '\x1f\x8b\x08'],
    ['an image', '\x89PNG\r\n'],
  ])('refuses %s that is called CSV', async (name, head) => {
    const { error } = await readAll(Buffer.from(head, 'latin1'))
    expect(error).toMatchObject({
      rule: 'not_text',
      message: expect.stringContaining(`The file is ${name}, `),
    })
  })

  test('returns the rows before a row with more cells than columns', async () => {
    const { rows, error } = await readAll(`a,b\n${'1,2\n'.repeat(69_999)}1,2,3\n1,2\n`)
    expect(rows).toHaveLength(69_999)
    expect(error).toMatchObject({ rule: 'extra_cells', line: 70_001 })
  })

  test.each([
    ['a cell', '1,"', 'x', 'cell_too_large'],
    ['a cell of quotation marks', '1,"', '"', 'cell_too_large'],
    ['a row of empty cells', '1,', ',', 'too_many_columns'],
  ])('refuses %s of 200 MB while it is streamed', async (_, start, character, rule) => {
    let streamed = 0
    async function* chunks() {
      yield Buffer.from(`a,b\n0,0\n${start}`)
      const chunk = Buffer.alloc(65_536, character)
      for (; streamed < 200 * MEBIBYTE; streamed += chunk.length) yield chunk
    }
    const { error } = await readAll(chunks())
    expect(error).toMatchObject({ rule, line: 3 })
    expect(streamed).toBeLessThan(10 * MEBIBYTE)
  })

  test('holds cells to 1 MiB and rows to 4 MiB', async () => {
    const cell = 'x'.repeat(MEBIBYTE)
    const row = `${cell},${cell},${cell},`
    expect((await readAll(`a,b,c,d\n${row}\n`)).error).toBeUndefined()
    expect((await readAll(`a,b\n1,${cell}x\n`)).error).toMatchObject({ rule: 'cell_too_large', line: 2 })
    expect((await readAll(`a,b,c,d\n${row}${cell}\n`)).error).toMatchObject({
      rule: 'row_too_large',
      line: 2,
    })
  })

  test('builds no error for rows of other lengths', async () => {
    const capture = vi.spyOn(Error, 'captureStackTrace')
    try {
      expect((await readAll(`a,b\n${'1\n1,2\n'.repeat(1000)}`)).rows).toHaveLength(2000)
      expect(capture.mock.calls.length).toBeLessThan(100)
    } finally {
      capture.mockRestore()
    }
  })

  test.each([
    ['invalid_json', 'Line 2 is not a JSON object.', '{"a":1}\n[1]\n'],
    ['invalid_json', 'Line 3 is not a JSON object.', '{"a":1}\n\n{"a":1\n'],
    [
      'nested_value',
      'Line 2 has lists or objects',
      `{"a":1}\n{"a":"{","b":${'['.repeat(6)}${']'.repeat(6)}}\n`,
    ],
    ['nested_value', 'Line 1 has lists or objects', `{"a":${'['.repeat(100_000)}`],
    ['too_many_columns', 'Line 1 has more than 20000 values', `{"a":[${'1,'.repeat(20_000)}1]}`],
    [
      'unknown_key',
      'Line 102 has the key "b", which none of the first lines has: add it to the first line.',
      `${'{"a":1}\n'.repeat(100)}{"a":1,"b":null}\n{"a":1,"b":2}\n`,
    ],
    ['nul_character', 'Line 1 has a NUL character', '{"a":"\\u0000"}'],
    [
      'too_many_columns',
      'Line 1 has more than 1000 columns',
      `{${Array.from({ length: 1001 }, (_, key) => `"${key}":0`)}}`,
    ],
    [
      'cell_too_large',
      'A cell that begins in line 2 has more than 1 MiB',
      `\n{"a":"${'x'.repeat(MEBIBYTE + 1)}"}`,
    ],
    ['row_too_large', 'Line 2 has more than 4 MiB', `\n{"a":"${'x'.repeat(5 * MEBIBYTE)}"}`],
    ['empty', 'The file is empty: it has no object with a key.', '\n\n'],
  ])('refuses NDJSON by the rule %s with the message "%s"', async (rule, message, file) => {
    const { error } = await readAll(file, { format: 'ndjson' })
    expect(error).toMatchObject({ rule, message: expect.stringContaining(message) })
  })
})
