import { describe, expect, test } from 'vitest'
import { writeCsv } from './csv.ts'

describe('writeCsv', () => {
  test('separates cells by commas and rows by CRLF, and quotes every text', () => {
    expect(
      writeCsv([
        ['Stage', 'Deals'],
        ['Demo', 4],
      ]),
    ).toBe('"Stage","Deals"\r\n"Demo",4')
  })

  test('doubles quotes, and keeps commas, line breaks and spaces', () => {
    expect(writeCsv([['say "hi"', 'a,b', 'a\nb', 'a\r\nb', ' plain ']])).toBe(
      '"say ""hi""","a,b","a\nb","a\r\nb"," plain "',
    )
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A', "'＠A"],
    ['\tx', "'\tx"],
    ['\r=1', "'\r'=1"],
    ['x;=cmd', "x;'=cmd"],
    ['x\t=cmd', "x\t'=cmd"],
    ['x\n@cmd', "x\n'@cmd"],
    ['a;-1;=2', "a;'-1;'=2"],
  ])('guards %j, which a spreadsheet may run', (text, guarded) => {
    expect(writeCsv([[text]])).toBe(`"${guarded}"`)
  })

  test.each(['a=b', 'a-b', 'a; b', 'ana@acme.example', '1+1'])('leaves %j as it is', (text) => {
    expect(writeCsv([[text]])).toBe(`"${text}"`)
  })

  test('guards a formula before its quotes are doubled', () => {
    expect(writeCsv([['=HYPERLINK("x","y")']])).toBe(`"'=HYPERLINK(""x"",""y"")"`)
  })

  test('does not escape numbers', () => {
    expect(writeCsv([[-1, 0.25]])).toBe('-1,0.25')
  })

  test('of no rows is empty', () => {
    expect(writeCsv([])).toBe('')
  })
})
