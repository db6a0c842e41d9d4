import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EDITED_COLUMNS, type EditedColumn, ITEM_COLUMNS, type ItemValues } from './item-columns.ts'
import { EN, PT } from './item-notation.fixture.ts'

test.each<[EditedColumn, string, Partial<ItemValues>]>([
  ['name', '  Desks \t and lamps ', { name: 'Desks and lamps' }],
  ['quantity', '2,5', { quantity: 2.5 }],
  ['quantity', '1.000.000', { quantity: 1e6 }],
  ['unit_price_cts', 'R$ 1.500,00', { unit_price_cts: 150_000 }],
  ['unit_price_cts', '', { unit_price_cts: 0 }],
  ['discount', '10%', { discount: { percent: 10 } }],
  ['discount', ' 7,25 % ', { discount: { percent: 7.25 } }],
  ['discount', '500', { discount: { amount_cts: 50_000 } }],
  ['discount', '', { discount: null }],
  ['discount', '0%', { discount: null }],
  ['tax_rate', '2,9', { tax_rate: 2.9 }],
  ['tax_rate', '0', { tax_rate: 0 }],
  ['tax_rate', ' ', { tax_rate: null }],
  ['billing_cycle', 'trimestral', { billing_cycle: 'quarterly' }],
  ['billing_cycle', 'one_time', { billing_cycle: 'one_time' }],
])('%s reads %j in Portuguese', (column, typed, values) => {
  expect(ITEM_COLUMNS[column].parse(typed, PT)).toEqual(values)
})

test.each<[EditedColumn, string]>([
  ['name', ' '],
  ...['', '0', '-1', '1000001', '0.0001', 'two', '1e3'].map(
    (typed) => ['quantity', typed] as [EditedColumn, string],
  ),
  ['unit_price_cts', '-5'],
  ['unit_price_cts', 'USD 5'],
  ['discount', '101%'],
  ['discount', '%'],
  ['discount', '-1'],
  ['tax_rate', '2.999'],
  ['tax_rate', '5 %%'],
  ['billing_cycle', ''],
])('%s refuses %j', (column, typed) => {
  expect(ITEM_COLUMNS[column].parse(typed, EN)).toBeTypeOf('string')
})

const hundredths = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((value) => value / 100)

test('a cell that is opened and saved unchanged stays as it is, in both languages', () => {
  const values = fc.record({
    name: fc.constant('Desks'),
    code: fc.constant(null),
    quantity: fc.integer({ min: 1, max: 1e9 }).map((value) => value / 1000),
    unit_price_cts: fc.nat({ max: 1e15 }),
    discount: fc.oneof(
      fc.constant(null),
      hundredths(100).map((percent) => ({ percent })),
      fc.integer({ min: 1, max: 1e15 }).map((amount_cts) => ({ amount_cts })),
    ),
    tax_rate: fc.oneof(fc.constant(null), hundredths(100)),
    billing_cycle: fc.constantFrom('one_time', 'monthly', 'quarterly', 'annually'),
  }) as fc.Arbitrary<ItemValues>
  fc.assert(
    fc.property(
      values,
      fc.constantFrom(EN, PT),
      fc.constantFrom(...EDITED_COLUMNS),
      (item, notation, column) => {
        const { format, parse } = ITEM_COLUMNS[column]
        expect(parse(format(item, notation), notation)).toEqual({ [column]: item[column] })
      },
    ),
  )
})
