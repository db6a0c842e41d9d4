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
    { key: 'g', type: 'link' },
    { key: 'h', type: 'number' },
  ] as const
  const values = {
    a: ' x\ty ',
    b: '1,5',
    c: 'red',
    d: 'Main\tStreet 1',
    f: 'many',
    g: 'acme.example',
    h: '1.234,5',
  }
  expect(buildCustomFields(fields, values, 'pt-BR')).toEqual([
    { key: 'a', value: 'x y' },
    { key: 'b', value: 1.5 },
    { key: 'c', value: ['red'] },
    { key: 'd', value: { street: 'Main Street 1' } },
    { key: 'e', value: null },
    { key: 'f', value: 'many' },
    { key: 'g', value: 'https://acme.example' },
    { key: 'h', value: 1234.5 },
  ])
})
