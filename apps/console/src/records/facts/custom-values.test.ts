import type { CustomField, SelectOption } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { Calendar } from '../../format/calendar.ts'
import { DateFormat } from '../../format/dates.ts'
import { editableCustomText, formatCustomValue, parseCustomText, withCustomValue } from './custom-values.ts'

const field = (type: CustomField['type'], options: readonly SelectOption[] = []): CustomField => ({
  id: 'f',
  key: 'field',
  label: 'Field',
  type,
  value: { select_list: options },
  required: false,
  show_people: true,
  show_companies: false,
  show_deals: false,
  created_at: '2026-01-01T00:00:00.000Z',
})
const formats = { dates: new DateFormat('en-GB', new Calendar('America/Sao_Paulo')), formatNumber: String }
const OPTIONS = [
  { key: 'a', option: 'First' },
  { key: 'b', option: 'Second' },
]

test.each([
  [field('cpf'), '52998224725', '529.982.247-25'],
  [field('cnpj'), '12ABC34501DE35', '12.ABC.345/01DE-35'],
  [field('select', OPTIONS), 'b', 'Second'],
  [field('select', OPTIONS), 'gone', 'gone'],
  [field('multi_select', OPTIONS), ['b', 'a'], 'Second, First'],
  [field('date'), '1987-08-14', '14 Aug 1987'],
  [field('number'), 3, '3'],
  [
    field('address'),
    { street: 'Rua XV', number: '1284', city: 'Curitiba', state: 'PR', postal_code: '80020-310' },
    'Rua XV, 1284\nCuritiba, PR\n80020-310',
  ],
] as const)('shows a value of %o', (of, value, text) => {
  expect(formatCustomValue(of, value as never, formats)).toBe(text)
})

test('reads the text of a field', () => {
  expect(parseCustomText(field('text'), '  ', 'en')).toBeUndefined()
  expect(parseCustomText(field('text'), '\tNorth\tSea ', 'en')).toBe('North Sea')
  expect(parseCustomText(field('long_text'), ' a\n\tb', 'en')).toBe(' a\n\tb')
  expect(parseCustomText(field('link'), 'acme.example/a', 'en')).toBe('https://acme.example/a')
  expect(parseCustomText(field('number'), '1,5', 'en')).toBe(1.5)
  expect(parseCustomText(field('number'), '1.234,5', 'pt-BR')).toBe(1234.5)
  expect(parseCustomText(field('number'), 'R$ 15.300,00\t', 'pt-BR')).toBe(15300)
  expect(parseCustomText(field('number'), 'many', 'en')).toBeNaN()
})

test.each([
  [field('number'), 1.234, 'pt-BR', '1,234'],
  [field('number'), 1234567, 'pt-BR', '1234567'],
  [field('cpf'), '52998224725', 'en', '529.982.247-25'],
  [field('link'), 'https://acme.example', 'en', 'https://acme.example'],
] as const)('a value of %o is edited as text that is read as the value', (of, value, language, text) => {
  expect(editableCustomText(of, value, language)).toBe(text)
  if (of.type !== 'cpf') expect(parseCustomText(of, text, language)).toBe(value)
})

test('replaces and removes one of the values', () => {
  const values = withCustomValue([], field('text'), 'x')
  expect(values).toEqual([{ id: 'f', key: 'field', label: 'Field', type: 'text', value: 'x' }])
  expect(withCustomValue(values, field('text'), undefined)).toEqual([])
})
