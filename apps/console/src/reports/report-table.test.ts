import { expect, test } from 'vitest'
import { writeTable } from './report-table.ts'

test('a table is written with its plain values, below the headings with their units', () => {
  const table = {
    columns: [{ label: 'Stage' }, { label: 'Amount', csvLabel: 'Amount (BRL)', isNumber: true }],
    rows: [
      {
        key: 'a',
        cells: [
          { text: '=Demo', csv: '=Demo' },
          { text: 'R$ 1.350', csv: '1350.00' },
        ],
      },
    ],
  }
  expect(writeTable(table)).toBe(`"Stage","Amount (BRL)"\r\n"'=Demo","1350.00"`)
})
