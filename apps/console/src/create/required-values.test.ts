import { expect, test } from 'vitest'
import { buildCustomFields } from './required-values.ts'

test('values are built by the type of their field', () => {
  const fields = [
    { key: 'a', type: 'text' },
    { key: 'b', type: 'number' },
    { key: 'c', type: 'multi_select' },
    { key: 'd', type: 'address' },
    { key: 'e', type: 'cpf' },
    { key: 'f', type: 'number' },
  ] as const
  const values = { a: ' x ', b: '1,5', c: 'red', d: 'Main Street 1', f: 'many' }
  expect(buildCustomFields(fields, values)).toEqual([
    { key: 'a', value: 'x' },
    { key: 'b', value: 1.5 },
    { key: 'c', value: ['red'] },
    { key: 'd', value: { street: 'Main Street 1' } },
    { key: 'e', value: null },
    { key: 'f', value: 'many' },
  ])
})
