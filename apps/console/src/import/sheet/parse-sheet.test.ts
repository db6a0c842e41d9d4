import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unguardFormulas } from '../../format/formula-guard.ts'
import { writeLeftOut } from '../rows/left-out-csv.ts'
import { decodeText } from './decode-text.ts'
import { parseSheet } from './parse-sheet.ts'
import type { Sheet } from './sheet.ts'

const encode = (text: string) => new TextEncoder().encode(text)

describe('decodeText', () => {
  test('reads UTF-8 with and without a mark at its start', () => {
    expect(decodeText(encode('João'))).toEqual({ text: 'João', encoding: 'UTF-8' })
    expect(decodeText(encode('\uFEFFJoão')).text).toBe('João')
  })

  test('reads what is not UTF-8 as Windows-1252', () => {
    const bytes = Uint8Array.from([0x4a, 0x6f, 0xe3, 0x6f, 0x20, 0x80])
    expect(decodeText(bytes)).toEqual({ text: 'João €', encoding: 'Windows-1252' })
  })

  test('reads the Unicode text of spreadsheets', () => {
    const bytes = Uint8Array.from([0xff, 0xfe, 0x4a, 0x00, 0xe3, 0x00])
    expect(decodeText(bytes)).toEqual({ text: 'Jã', encoding: 'UTF-16' })
  })
})

describe('parseSheet', () => {
  test.each([
    ['Nome;Cargo\r\nAna;CEO, CFO', ';'],
    ['Name,Title\nAna,CEO', ','],
    ['Name\tTitle\nAna\tCEO', '\t'],
    ['sep=|\nName|Title\nAna|CEO', '|'],
    ['"Name, or\nalias, or nick";Title\nAna;"CEO, CFO, CTO"', ';'],
    ['Name\nAna', ','],
  ])('finds the separator of %j', (text, delimiter) => {
    expect(parseSheet(text)).toMatchObject({ delimiter, rows: [{ cells: expect.arrayContaining(['Ana']) }] })
  })

  test('counts rows as a spreadsheet does, leaves empty ones out, and fills short ones', () => {
    expect(parseSheet('a;b\n1;2\n\n;\n"3\n4"\n')).toEqual({
      heads: ['a', 'b'],
      rows: [
        { number: 2, cells: ['1', '2'] },
        { number: 5, cells: ['3\n4', ''] },
      ],
      delimiter: ';',
    })
  })

  test('undoes the protection of formulas', () => {
    expect(parseSheet("a,b\n'=1+1,'tis")).toMatchObject({ rows: [{ cells: ['=1+1', "'tis"] }] })
  })

  test.each([
    ['', { code: 'empty' }],
    [' \n\t\n', { code: 'empty' }],
    ['a;b\n\n', { code: 'onlyHeads' }],
    ['a;b\n1;2\n1;2;3', { code: 'tooManyCells', row: 3 }],
    ['a;b\n1;"2\n3;4', { code: 'openQuote', row: 2 }],
    ['PK\0\u0003', { code: 'unreadable' }],
  ])('refuses %j', (text, error) => {
    expect(parseSheet(text)).toEqual(error)
  })

  test('refuses more than 10,000 rows', () => {
    expect(parseSheet(`a\n${'1\n'.repeat(10_001)}`)).toEqual({ code: 'tooManyRows' })
  })

  test('reads the same rows whatever each line ends in', () => {
    const newline = fc.constantFrom('\n', '\r\n', '\r', '\r\r\n')
    const row = fc.constantFrom('a;b', '"a;""\n";b', ';"b"', '"";c')
    const lines = fc.array(fc.tuple(row, newline), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(lines, newline, (rows, end) => {
        const mixed = rows.map(([text, own]) => text.replace('\n', own) + own).join('')
        const plain = rows.map(([text]) => `${text}\n`).join('')
        expect(parseSheet(`x;y${end}${mixed}`)).toEqual(parseSheet(`x;y\n${plain}`))
      }),
    )
  })

  test('reads empty cells after the last column', () => {
    expect(parseSheet('a;b;\n1;2;;')).toMatchObject({ heads: ['a', 'b'], rows: [{ cells: ['1', '2'] }] })
  })
})

describe('the rows that were left out', () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', 'é', '=', '-', '"', ',', ';', '\n', ' ', "'") })
    .filter((text) => unguardFormulas(text) === text)
  const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 })

  test('are read back as they were, with their reasons', () => {
    fc.assert(
      fc.property(table, (cells) => {
        const rows = cells.map((each, index) => ({ number: index + 2, cells: each }))
        const csv = writeLeftOut(
          { heads: ['a', 'b'], rows },
          new Map(rows.map(({ number }) => [number, 'why'])),
          'Reason',
        )
        const sheet = parseSheet(csv) as Sheet
        expect(sheet.heads).toEqual(['a', 'b', 'Reason'])
        expect(sheet.rows.map((row) => row.cells)).toEqual(cells.map((each) => [...each, 'why']))
      }),
    )
  })

  test('are only those with a reason', () => {
    const rows = [
      { number: 2, cells: ['x'] },
      { number: 3, cells: ['=y'] },
    ]
    expect(writeLeftOut({ heads: ['a'], rows }, new Map([[3, 'a: wrong']]), 'Reason')).toBe(
      `"a","Reason"\r\n"'=y","a: wrong"`,
    )
  })
})
