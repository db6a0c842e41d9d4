import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCell, formatListCell, formatRow, readCell, readListCell } from './cells.ts'

/** Texts that are likely to need a guard or a quotation mark. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...`'=+-@\t\r\n;[]",. 1a`), maxLength: 6 }),
)

test('reading a written cell returns its text', () => {
  fc.assert(fc.property(texts, (text) => readCell(formatCell(text)) === text))
})

test('reading a written list returns its texts', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 4 }), (list) => {
      expect(readListCell(formatListCell(list))).toEqual(list)
    }),
  )
})

test('no cell begins as a formula, unless it is a number', () => {
  fc.assert(fc.property(texts, (text) => /^(?![=+\-@\t\r])|^-\d+(\.\d+)?$/.test(formatCell(text))))
})

test.each([
  ['=1+1', "'=1+1"],
  ['+55 41 90000-6230', "'+55 41 90000-6230"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ["'=1", "''=1"],
  ["''=1", "'''=1"],
  ["'tis", "'tis"],
  ['-12.50', '-12.50'],
  ['-1-1', "'-1-1"],
  ['', ''],
])('the cell of %j is %j', (text, cell) => {
  expect(formatCell(text)).toBe(cell)
})

test.each([
  [[], ''],
  [['Lead', 'VIP'], 'Lead; VIP'],
  [['a;b'], '["a;b"]'],
  [['[x'], '["[x"]'],
  [['a', ''], '["a",""]'],
  [[' a'], '[" a"]'],
  [['=a', 'b'], "'=a; b"],
])('the cell of the list %j is %j', (list, cell) => {
  expect(formatListCell(list)).toBe(cell)
})

test('text in brackets that is no list is one text', () => {
  expect(readListCell('[1, 2]')).toEqual(['[1, 2]'])
  expect(readListCell('[draft')).toEqual(['[draft'])
})

test('a row quotes what would end a cell or a line', () => {
  expect(formatRow(['a', 'b,c', '"d"', 'e\nf', 'g\rh', '', ' i'])).toBe(
    'a,"b,c","""d""","e\nf","g\rh",, i\r\n',
  )
})
