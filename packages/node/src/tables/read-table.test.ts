import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeUtf16, encodeWindows1252, readAll, readCells, streamOf } from '../../test/tables/read-all.ts'
import { BLOCK_BYTES } from './read-blocks.ts'
import { readTable } from './read-table.ts'

const SPECTRUM = fileURLToPath(new URL('./', import.meta.resolve('csv-spectrum')))

describe('readTable of CSV', () => {
  test.each(readdirSync(`${SPECTRUM}csvs`).map((name) => name.replace('.csv', '')))(
    'reads %s of csv-spectrum',
    async (name) => {
      const { columns, rows } = await readAll(readFileSync(`${SPECTRUM}csvs/${name}.csv`))
      const json = readFileSync(`${SPECTRUM}json/${name}.json`, 'utf8')
      // The number differs from that of the CSV file.
      const expected = JSON.parse(json.replace('1234567890', '2095257564'))
      expect(
        rows.map(({ cells }) => Object.fromEntries(columns.map((column, at) => [column, cells[at]]))),
      ).toEqual([expected].flat())
    },
  )

  test('counts rows as a spreadsheet does, leaves blank ones out and fills short ones', async () => {
    expect(await readAll('\r\na;b;c\r\n1;2;3\n\n;;\n"4\n5"\r6;7;\r\r\n8;9')).toEqual({
      columns: ['a', 'b', 'c'],
      rows: [
        { number: 3, cells: ['1', '2', '3'] },
        { number: 6, cells: ['4\n5', '', ''] },
        { number: 7, cells: ['6', '7', ''] },
        { number: 8, cells: ['8', '9', ''] },
      ],
      error: undefined,
    })
  })

  test('does not count a line that names the delimiter', async () => {
    expect(await readAll('sep=;\r\na,b;c\r\n1,5;2\r\n')).toMatchObject({
      columns: ['a,b', 'c'],
      rows: [{ number: 2, cells: ['1,5', '2'] }],
    })
  })

  test('keeps quotation marks within unquoted cells', async () => {
    expect(await readCells('Item\tSize\n"TV ""A"""\t55" wide\n')).toEqual([['TV "A"', '55" wide']])
  })

  test('drops empty cells after the last column', async () => {
    const far = ','.repeat(16_000)
    expect(await readAll(`a,b${far}\n1,2${far}\n`)).toMatchObject({
      columns: ['a', 'b'],
      rows: [{ cells: ['1', '2'] }],
    })
  })

  test.each([
    ['\uFEFF"a","b, c"\n1,2', ['a', 'b, c']],
    ['a, a ,A,a,a (2)\n1,2,3,4,5', ['a', 'a (2)', 'A', 'a (3)', 'a (2) (2)']],
    ['a,,c,,\n1,2,3,4,\n', ['a', 'Column 2', 'c', 'Column 4']],
  ])('names the columns of %j', async (file, columns) => {
    expect((await readAll(file)).columns).toEqual(columns)
  })

  test('names the columns of a file without header', async () => {
    expect(await readAll('1,2\n3,4,5\n', { hasHeader: false })).toMatchObject({
      columns: ['Column 1', 'Column 2', 'Column 3'],
      rows: [
        { number: 1, cells: ['1', '2', ''] },
        { number: 2, cells: ['3', '4', '5'] },
      ],
    })
  })

  test('reads what was written, whatever lines end in', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\n', '\r', ' ') })
    const row = fc.tuple(fc.tuple(cell, cell), fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'))
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (rows) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
        const lines = rows.map(([cells, end]) => `x,${cells.map(quote).join(',')}${end}`)
        expect(await readCells(`a,b,c\n${lines.join('')}`)).toEqual(rows.map(([cells]) => ['x', ...cells]))
      }),
    )
  })
})

describe('readTable of NDJSON', () => {
  test('reads flat objects, with numbers as they are written', async () => {
    const file =
      '{"id":12345678901234567890,"name":"Ana\\n"}\r\n\n{"name":null,"rate":1.50,"is_lead":true}\n{"id":"[{,"}'
    expect(await readAll(file, { format: 'ndjson' })).toEqual({
      columns: ['id', 'name', 'rate', 'is_lead'],
      rows: [
        { number: 1, cells: ['12345678901234567890', 'Ana\n', '', ''] },
        { number: 3, cells: ['', '', '1.50', 'true'] },
        { number: 4, cells: ['[{,', '', '', ''] },
      ],
      error: undefined,
    })
  })
})

describe('readTable', () => {
  const TEXT = 'Preço;Nome\n5 €;João\n'

  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16', encodeUtf16(TEXT, 'le')],
    ['UTF-16 with a mark', encodeUtf16(`\uFEFF${TEXT}`, 'le')],
    ['big-endian UTF-16 with a mark', encodeUtf16(`\uFEFF${TEXT}`, 'be')],
    ['Windows-1252', encodeWindows1252(TEXT)],
    ['Windows-1252 after much ASCII', encodeWindows1252(TEXT.replace('\n', `${'\n'.repeat(100_000)}`))],
  ])('reads %s', async (_, file) => {
    expect((await readAll(file)).rows.map(({ cells }) => cells)).toEqual([['5 €', 'João']])
  })

  test('detects the delimiter after the last characters that are not ASCII', async () => {
    expect((await readAll('aé;b')).columns).toEqual(['aé', 'b'])
    expect((await readAll('aé;')).columns).toEqual(['aé'])
  })

  test('reads the same rows whatever the chunks', async () => {
    const files = [
      Buffer.from('\uFEFF"a,1",b\r\n"é""x","1\r\n2"\r\n\r\n€,55" TV\r"",😀\r\r\n6,7'),
      encodeUtf16('\uFEFFa\tb\r\né\t"x""\n"\r\n', 'le'),
      encodeWindows1252('sep=;\r\na;b\r\né;€\r\n'),
    ]
    for (const file of files) {
      const whole = await readAll(file)
      expect(whole).toMatchObject({ rows: expect.arrayContaining([expect.anything()]), error: undefined })
      expect(await readAll(streamOf(...Array.from(file, (byte) => Uint8Array.of(byte))))).toEqual(whole)
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(file.length)), async (cuts) => {
          const ends = [...cuts.toSorted((a, b) => a - b), file.length]
          const chunks = ends.map((end, index) => file.subarray(ends[index - 1] ?? 0, end))
          expect(await readAll(streamOf(...chunks))).toEqual(whole)
        }),
      )
    }
  })

  test.each([
    ['UTF-8', Buffer.from('"é""x","1\r\n2"\r\n\r\n€,55" TV\r"",😀\r\r\n6,7')],
    ['Windows-1252', encodeWindows1252('é,"ç"\r\n€,"a""b"\r\n')],
  ])('reads the same rows of %s wherever a block ends', async (_, file) => {
    const { rows } = await readAll(Buffer.concat([Buffer.from('a,b\np,x\n'), file]))
    for (let cut = 0; cut <= file.length; cut++) {
      const start = 'a,b\np,'.padEnd(BLOCK_BYTES - cut - 1, 'x')
      const padded = await readAll(Buffer.concat([Buffer.from(`${start}\n`), file]))
      expect(padded.rows.slice(1)).toEqual(rows.slice(1))
    }
  })

  test('closes its source when the iteration ends', async () => {
    let isClosed = false
    async function* chunks() {
      try {
        for (;;) yield Buffer.from('a,b\n')
      } finally {
        isClosed = true
      }
    }
    for await (const _ of (await readTable(chunks(), { format: 'csv' })).rows) break
    expect(isClosed).toBe(true)
  })

  test('ends with the reason of an abort', async () => {
    const controller = new AbortController()
    async function* chunks() {
      for (;;) yield Buffer.from('a,b\n'.repeat(1000))
    }
    const { rows } = await readTable(chunks(), { format: 'csv', signal: controller.signal })
    const read = async () => {
      for await (const { number } of rows) if (number === 20_000) controller.abort(new Error('stopped'))
    }
    await expect(read()).rejects.toThrow('stopped')
  })
})
