import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CUSTOM_FIELD_TYPES, type CustomFieldType } from '../../schema/custom-field.ts'
import { parseValue, toResponseValue } from './custom-value.ts'

const CONTROL = 'Must not contain control characters.'
const NO_OPTION = 'Must be the key of one of the options.'
const A_KEY = 'Must be lower-case letters and digits, joined by single underscores.'
const NO_CPF = 'Must be a CPF with valid check digits, such as 123.456.789-09.'
const NO_CNPJ = 'Must be a CNPJ with valid check digits, such as 12.ABC.345/01DE-35.'
const NO_DAY = 'Must be a real day, such as 2026-03-01.'
const NO_NUMBER = 'Must be a finite number.'
const NO_URL = 'Must be an http or https URL.'
const NO_PART =
  'Must have at least one of: street, number, complement, district, city, state, postal_code, country.'

const OPTIONS = ['red', 'dark_blue', 'constructor', 'tostring']

function fieldOf(type: CustomFieldType) {
  const hasOptions = type === 'select' || type === 'multi_select'
  return { type, value: hasOptions ? { select_list: OPTIONS.map((key) => ({ key, option: key })) } : null }
}

function keptOf(type: CustomFieldType, given: unknown): unknown {
  const judged = parseValue(fieldOf(type), given)
  return 'value' in judged ? judged.value : judged
}

function faultsOf(type: CustomFieldType, given: unknown): unknown {
  const judged = parseValue(fieldOf(type), given)
  return 'faults' in judged ? judged.faults : judged
}

test.each<[CustomFieldType, unknown, unknown]>([
  ['text', ' Ana ', 'Ana'],
  ['text', '😀'.repeat(255), '😀'.repeat(255)],
  ['long_text', ' a\n\tb\r\n', ' a\n\tb\r\n'],
  ['long_text', '😀'.repeat(10_000), '😀'.repeat(10_000)],
  ['select', 'red', ['red']],
  ['select', ' Dark_Blue', ['dark_blue']],
  ['select', 'constructor', ['constructor']],
  ['select', 'toString', ['tostring']],
  ['multi_select', ['RED'], ['red']],
  ['multi_select', ['tostring', 'red', 'constructor'], ['tostring', 'red', 'constructor']],
  ['cpf', ' 529.982.247-25', '52998224725'],
  ['cnpj', '12.abc.345/01de-35 ', '12ABC34501DE35'],
  ['date', '2026-03-01', '2026-03-01'],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '0001-01-01', '0001-01-01'],
  ['date', '9999-12-31', '9999-12-31'],
  ['number', 0.1, 0.1],
  ['number', -1e21, -1e21],
  ['number', Number.MAX_VALUE, Number.MAX_VALUE],
  ['number', Number.MIN_VALUE, Number.MIN_VALUE],
  ['number', -0, 0],
  ['link', ' https://example.com/a?b ', 'https://example.com/a?b'],
  ['link', `http://a.co/${'x'.repeat(2036)}`, `http://a.co/${'x'.repeat(2036)}`],
  ['address', { city: ' Recife ' }, { city: 'Recife' }],
  [
    'address',
    { country: 'BR', street: 'x'.repeat(255), number: ' ', state: null },
    { street: 'x'.repeat(255), country: 'BR' },
  ],
])('a %s given as %j is kept as %j', (type, given, kept) => {
  expect(keptOf(type, given)).toStrictEqual(kept)
})

test.each(CUSTOM_FIELD_TYPES)('null clears a %s', (type) => {
  expect(keptOf(type, null)).toBe(null)
})

test.each<[CustomFieldType, unknown]>([
  ['text', ''],
  ['text', ' \u00a0\n'],
  ['long_text', ''],
  ['long_text', '\n\n '],
  ['multi_select', []],
])('a %s of %j is the same as null', (type, given) => {
  expect(keptOf(type, given)).toBe(null)
})

test.each<[CustomFieldType, unknown, string]>([
  ['text', 'x'.repeat(256), 'Must be at most 255 characters.'],
  ['text', 'a\nb', CONTROL],
  ['text', 'a\0', CONTROL],
  ['text', '\ud83d', 'Must be valid Unicode text.'],
  ['long_text', '😀'.repeat(10_001), 'Must be at most 10000 characters.'],
  ['long_text', 'a\0', 'Must not contain the null character.'],
  ['long_text', '\udfff', 'Must be valid Unicode text.'],
  ['select', 'green', NO_OPTION],
  ['select', 'prototype', NO_OPTION],
  ['select', '__proto__', A_KEY],
  ['select', 'Dark blue', A_KEY],
  ['select', '', A_KEY],
  ['select', ['red'], 'Must be a string.'],
  ['multi_select', 'red', 'Must be an array.'],
  ['multi_select', { 0: 'red' }, 'Must be an array.'],
  ['multi_select', Array.from({ length: 201 }, () => 'red'), 'Must have at most 200 options.'],
  ['cpf', '529.982.247-24', NO_CPF],
  ['cpf', '', NO_CPF],
  ['cpf', 52998224725, 'Must be a string.'],
  ['cnpj', '12.ABC.345/01DE-34', NO_CNPJ],
  ['cnpj', '529.982.247-25', NO_CNPJ],
  ['date', '2026-02-29', NO_DAY],
  ['date', '2026-04-31', NO_DAY],
  ['date', '2026-13-01', NO_DAY],
  ['date', '2026-00-01', NO_DAY],
  ['date', '2026-01-00', NO_DAY],
  ['date', '0000-01-01', NO_DAY],
  ['date', '2026-3-1', NO_DAY],
  ['date', '20260301', NO_DAY],
  ['date', '01/03/2026', NO_DAY],
  ['date', '2026-03-01T12:00:00Z', NO_DAY],
  ['date', '+002026-03-01', NO_DAY],
  ['date', '2026-03-01\n', NO_DAY],
  ['date', '', NO_DAY],
  ['number', '5', NO_NUMBER],
  ['number', true, NO_NUMBER],
  ['number', JSON.parse('1e400'), NO_NUMBER],
  ['number', Number.NaN, NO_NUMBER],
  ['link', 'example.com', NO_URL],
  ['link', 'javascript:alert(1)', NO_URL],
  ['link', '', NO_URL],
  ['link', `http://a.co/${'x'.repeat(2037)}`, 'Must be at most 2048 characters.'],
  ['address', {}, NO_PART],
  ['address', [], NO_PART],
  ['address', { street: ' ', city: null }, NO_PART],
  ['address', 'Rua A, 1', 'Must be an object.'],
])('a %s is not %j', (type, given, fault) => {
  expect(faultsOf(type, given)).toEqual({ '': fault })
})

test.each(CUSTOM_FIELD_TYPES)('a %s that was left out is missing', (type) => {
  expect(faultsOf(type, undefined)).toEqual({ '': 'Required.' })
})

test('every option that is wrong is named', () => {
  expect(faultsOf('multi_select', ['red', 'green', 5, 'a b', null])).toEqual({
    '[1]': NO_OPTION,
    '[2]': 'Must be a string.',
    '[3]': A_KEY,
    '[4]': 'Must not be null.',
  })
})

test('an option is named once, whatever its case', () => {
  const twice = 'Must not name an option twice.'
  expect(faultsOf('multi_select', ['red', 'tostring', 'RED', 'toString', 'red'])).toEqual({
    '[2]': twice,
    '[3]': twice,
    '[4]': twice,
  })
})

test('every part of an address that is wrong is named', () => {
  const given =
    '{"street":5,"city":"a\\nb","state":"","zip_code":"1","postalcode":"2","__proto__":{"city":"x"},"constructor":"y"}'
  expect(faultsOf('address', JSON.parse(given))).toEqual(
    Object.fromEntries([
      ['.street', 'Must be a string.'],
      ['.city', CONTROL],
      ['.zip_code', 'Unknown field.'],
      ['.postalcode', 'Unknown field. Did you mean "postal_code"?'],
      ['.__proto__', 'Unknown field.'],
      ['.constructor', 'Unknown field.'],
    ]),
  )
  expect(faultsOf('address', { country: 'x'.repeat(256) })).toEqual({
    '.country': 'Must be at most 255 characters.',
  })
})

test('a select takes its own options alone', () => {
  const field = { type: 'select', value: { select_list: [{ key: 'red', option: 'Red' }] } } as const
  expect(parseValue(field, 'red')).toEqual({ value: ['red'] })
  expect(parseValue(field, 'constructor')).toEqual({ faults: { '': NO_OPTION } })
  expect(parseValue({ ...field, value: null }, 'red')).toEqual({ faults: { '': NO_OPTION } })
})

describe('whatever JSON is given', () => {
  const type = fc.constantFrom(...CUSTOM_FIELD_TYPES)
  const likely = fc.constantFrom(
    'red',
    ['red', 'RED'],
    '2026-03-01',
    'https://a.co',
    { city: 'x', state: ' ' },
    '52998224725',
    -0,
    ' a ',
  )
  const json = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), likely)

  test('is kept or refused with a reason, and never changed', () => {
    fc.assert(
      fc.property(type, json, (kind, given) => {
        const before = structuredClone(given)
        const judged = parseValue(fieldOf(kind), given)
        expect(given).toStrictEqual(before)
        if ('faults' in judged)
          expect(
            Object.values(judged.faults).every((fault) => fault.endsWith('.') || fault.endsWith('?')),
          ).toBe(true)
        if ('faults' in judged) expect(Object.keys(judged.faults)).not.toHaveLength(0)
      }),
      { numRuns: 2000 },
    )
  })

  test('is kept as JSON, and kept the same when it is given again as it is answered', () => {
    fc.assert(
      fc.property(type, json, (kind, given) => {
        const judged = parseValue(fieldOf(kind), given)
        fc.pre('value' in judged)
        const again = JSON.parse(JSON.stringify(judged.value))
        expect(again).toStrictEqual(judged.value)
        const answered = again === null ? null : toResponseValue({ type: kind }, again)
        expect(parseValue(fieldOf(kind), answered)).toStrictEqual(judged)
      }),
      { numRuns: 2000 },
    )
  })
})
