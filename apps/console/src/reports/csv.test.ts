import { describe, expect, test } from 'vitest'
import { writeCsv } from './csv.ts'

describe('writeCsv', () => {
  test('separates cells by commas and rows by CRLF', () => {
    expect(
      writeCsv([
        ['Stage', 'Deals'],
        ['Demo', 4],
      ]),
    ).toBe('Stage,Deals\r\nDemo,4')
  })

  test('quotes cells with quotes, commas and line breaks', () => {
    expect(writeCsv([['say "hi"', 'a,b', 'a\nb', 'a\r\nb', ' plain ']])).toBe(
      '"say ""hi""","a,b","a\nb","a\r\nb", plain ',
    )
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('escapes %j, which a spreadsheet may run', (text) => {
    expect(writeCsv([[text]])).toBe(`'${text}`)
  })

  test('escapes a formula before it is quoted', () => {
    expect(writeCsv([['=HYPERLINK("x","y")']])).toBe(`"'=HYPERLINK(""x"",""y"")"`)
    expect(writeCsv([['\r=1']])).toBe(`"'\r=1"`)
  })

  test('does not escape numbers', () => {
    expect(writeCsv([[-1, 0.25]])).toBe('-1,0.25')
  })

  test('of no rows is empty', () => {
    expect(writeCsv([])).toBe('')
  })
})
