import { expect, test } from 'vitest'
import { EN, PT } from './item-notation.fixture.ts'
import { isTable, readPastedLines, readTypedLine } from './read-lines.ts'

test.each([
  ['40 plano eq', 'pt-BR', 40, 'plano eq'],
  ['  2,5x horas de treino ', 'pt-BR', 2.5, 'horas de treino'],
  ['2.5 hours', 'en', 2.5, 'hours'],
  ['1.000 cadeiras', 'pt-BR', 1000, 'cadeiras'],
  ['plano eq', 'pt-BR', 1, 'plano eq'],
  ['3D printer', 'en', 1, '3D printer'],
  ['40', 'en', 1, '40'],
  // No quantity: too little, too much, too many places.
  ['0 chairs', 'en', 1, '0 chairs'],
  ['2000000 chairs', 'en', 1, '2000000 chairs'],
  ['0.0001 t', 'en', 1, '0.0001 t'],
  ['', 'en', 1, ''],
])('%j in %s is %d of %j', (typed, locale, quantity, text) => {
  expect(readTypedLine(typed, locale)).toEqual({ quantity, text })
})

test('rows of a spreadsheet have their cells in the order of the columns, and may end early', () => {
  const rows = 'Desks\t2\t1.100,50\t10%\t19\tMensal\r\n\r\nLamps\t\tR$ 5,00\r\nAdvice\n'
  expect(readPastedLines(rows, PT)).toEqual([
    {
      ...{ name: 'Desks', code: null, quantity: 2, unit_price_cts: 110_050 },
      ...{ discount: { percent: 10 }, tax_rate: 19, billing_cycle: 'monthly' },
    },
    expect.objectContaining({ name: 'Lamps', quantity: 1, unit_price_cts: 500, billing_cycle: 'one_time' }),
    expect.objectContaining({ name: 'Advice', quantity: 1, unit_price_cts: 0, discount: null }),
  ])
})

test('the names of the columns are no row, but a first row with a fault is', () => {
  expect(readPastedLines('Product\tQuantity\tPrice\nDesks\t2\t5', EN)).toMatchObject([{ name: 'Desks' }])
  expect(readPastedLines('Desks\tmany\t5', EN)).toContain('Row 1, Quantity')
})

test.each([
  [
    'Desks\t1\t5\nLamps\t-1\t5',
    'Row 2, Quantity: Write a number from 0.001 to 1,000,000, with up to 3 decimal places.',
  ],
  ['Desks\t1\tfree', 'Row 1, Unit price: Not an amount in EUR. Write it as 1,350.50.'],
  ['Desks\t1\t5\t6', 'Row 1, Discount: More than quantity × price.'],
  ['Desks\t1\t5\t\t101', 'Row 1, Tax: Write a percentage from 0 to 100, with up to 2 decimal places.'],
  ['Desks\t1\t5\t\t\tweekly', 'Row 1, Cycle: Not a billing cycle.'],
  ['\t1\t5', 'Row 1, Product: Write something here.'],
])('%j is refused as a whole', (rows, reason) => {
  expect(readPastedLines(rows, EN)).toBe(reason)
})

test('a copied text is a table if it has several cells', () => {
  expect(['Desks', 'Desks\n', 'Desks\t2', 'Desks\nLamps'].map(isTable)).toEqual([false, false, true, true])
})
