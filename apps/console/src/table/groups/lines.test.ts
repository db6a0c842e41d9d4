import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Lines } from './lines.ts'

test('each line is a head or the row that the lines before it leave', () => {
  const section = fc.record({ count: fc.nat(5), hasHead: fc.boolean(), isFolded: fc.boolean() })
  fc.assert(
    fc.property(fc.array(section, { maxLength: 6 }), (sections) => {
      const expected = sections.flatMap(({ count, hasHead, isFolded }, index) => [
        ...(hasHead ? [{ section: index, row: undefined }] : []),
        ...Array.from({ length: isFolded ? 0 : count }, (_, row) => ({ section: index, row })),
      ])
      const lines = new Lines(sections)
      expect(lines.count).toBe(expected.length)
      expect(Array.from({ length: lines.count }, (_, index) => lines.at(index))).toEqual(expected)
      const rows = expected.flatMap(({ row }, index) => (row === undefined ? [] : [index]))
      expect(lines.rowCount).toBe(rows.length)
      rows.forEach((index, row) => {
        expect([lines.rowsBefore(index), lines.lineOfRow(row)]).toEqual([row, index])
      })
      expect([lines.at(-1), lines.at(lines.count)]).toEqual([undefined, undefined])
    }),
  )
})
