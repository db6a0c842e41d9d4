import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CUSTOM_FIELD_TYPES, type CustomFieldType } from '../../schema/custom-field-types.ts'
import { parseValue, toResponseValue } from './custom-value.ts'

const CONTROL = 'Must not contain control characters.'
const UNKNOWN_OPTION = 'Must be the key of one of the options.'
const KEY_FORMAT = 'Must be lower-case letters and digits, joined by single underscores.'
const INVALID_CPF = 'Must be a CPF with valid check digits, such as 123.456.789-09.'
const INVALID_CNPJ = 'Must be a CNPJ with valid check digits, such as 12.ABC.345/01DE-35.'
const INVALID_DAY = 'Must be a real day, such as 2026-03-01.'
const INVALID_NUMBER = 'Must be a finite number.'
const NUMBER_BOUNDS = 'Must be between -9007199254740991 and 9007199254740991.'
const INVALID_URL = 'Must be an http or https URL.'
const EMPTY_ADDRESS =
  'Must have at least one of: street, number, complement, district, city, state, postal_code, country.'

const OPTIONS = ['red', 'dark_blue', 'constructor', 'tostring']

function fieldOf(type: CustomFieldType) {
  const hasOptions = type === 'select' || type === 'multi_select'
  return { type, value: hasOptions ? { select_list: OPTIONS.map((key) => ({ key, option: key })) } : null }
}

function storedValueOf(type: CustomFieldType, input: unknown): unknown {
  const result = parseValue(fieldOf(type), input)
  return 'value' in result ? result.value : result
}

function errorsOf(type: CustomFieldType, input: unknown): unknown {
  const result = parseValue(fieldOf(type), input)
  return 'errors' in result ? result.errors : result
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
  ['number', 9_007_199_254_740_991, 9_007_199_254_740_991],
  ['number', -9_007_199_254_740_991, -9_007_199_254_740_991],
  ['number', Number.MIN_VALUE, Number.MIN_VALUE],
  ['number', -0, 0],
  ['link', ' https://example.com/a?b ', 'https://example.com/a?b'],
  ['link', 'https://a.co/?x=a|b', 'https://a.co/?x=a%7Cb'],
  ['link', `http://a.co/${'x'.repeat(2036)}`, `http://a.co/${'x'.repeat(2036)}`],
  ['address', { city: ' Recife ' }, { city: 'Recife' }],
  [
    'address',
    { country: 'BR', street: 'x'.repeat(255), number: ' ', state: null },
    { street: 'x'.repeat(255), country: 'BR' },
  ],
])('a %s sent as %j is stored as %j', (type, input, value) => {
  expect(storedValueOf(type, input)).toStrictEqual(value)
})

test.each(CUSTOM_FIELD_TYPES)('null clears a %s', (type) => {
  expect(storedValueOf(type, null)).toBe(null)
})

test.each<[CustomFieldType, unknown]>([
  ['text', ''],
  ['text', ' \u00a0\n'],
  ['long_text', ''],
  ['long_text', '\n\n '],
  ['multi_select', []],
])('a %s of %j equals null', (type, input) => {
  expect(storedValueOf(type, input)).toBe(null)
})

test.each<[CustomFieldType, unknown, string]>([
  ['text', 'x'.repeat(256), 'Must be at most 255 characters.'],
  ['text', 'a\nb', CONTROL],
  ['text', 'a\0', CONTROL],
  ['text', '\ud83d', 'Must be valid Unicode text.'],
  ['long_text', '😀'.repeat(10_001), 'Must be at most 10000 characters.'],
  ['long_text', 'a\0', 'Must not contain the null character.'],
  ['long_text', '\udfff', 'Must be valid Unicode text.'],
  ['select', 'green', UNKNOWN_OPTION],
  ['select', 'prototype', UNKNOWN_OPTION],
  ['select', '__proto__', KEY_FORMAT],
  ['select', 'Dark blue', KEY_FORMAT],
  ['select', '', KEY_FORMAT],
  ['select', ['red'], 'Must be a string.'],
  ['multi_select', 'red', 'Must be an array.'],
  ['multi_select', { 0: 'red' }, 'Must be an array.'],
  ['multi_select', Array.from({ length: 201 }, () => 'red'), 'Must have at most 200 options.'],
  ['cpf', '529.982.247-24', INVALID_CPF],
  ['cpf', '', INVALID_CPF],
  ['cpf', 52998224725, 'Must be a string.'],
  ['cnpj', '12.ABC.345/01DE-34', INVALID_CNPJ],
  ['cnpj', '529.982.247-25', INVALID_CNPJ],
  ['date', '2026-02-29', INVALID_DAY],
  ['date', '2026-04-31', INVALID_DAY],
  ['date', '2026-13-01', INVALID_DAY],
  ['date', '2026-00-01', INVALID_DAY],
  ['date', '2026-01-00', INVALID_DAY],
  ['date', '0000-01-01', 'Must lie between 0001-01-01 and 9999-12-31.'],
  ['date', '10000-01-01', 'Must lie between 0001-01-01 and 9999-12-31.'],
  ['date', '2026-3-1', INVALID_DAY],
  ['date', '20260301', INVALID_DAY],
  ['date', '01/03/2026', INVALID_DAY],
  ['date', '2026-03-01T12:00:00Z', INVALID_DAY],
  ['date', '+002026-03-01', INVALID_DAY],
  ['date', '2026-03-01\n', INVALID_DAY],
  ['date', '', INVALID_DAY],
  ['number', JSON.parse('123456789012345678'), NUMBER_BOUNDS],
  ['number', 9_007_199_254_740_992, NUMBER_BOUNDS],
  ['number', -9_007_199_254_740_992, NUMBER_BOUNDS],
  ['number', Number.MAX_VALUE, NUMBER_BOUNDS],
  ['number', '5', INVALID_NUMBER],
  ['number', true, INVALID_NUMBER],
  ['number', JSON.parse('1e400'), INVALID_NUMBER],
  ['number', Number.NaN, INVALID_NUMBER],
  ['link', 'example.com', INVALID_URL],
  ['link', 'javascript:alert(1)', INVALID_URL],
  ['link', '', INVALID_URL],
  ['link', `http://a.co/${'x'.repeat(2037)}`, 'Must be at most 2048 characters.'],
  ['address', {}, EMPTY_ADDRESS],
  ['address', [], 'Must be an object.'],
  ['address', { street: ' ', city: null }, EMPTY_ADDRESS],
  ['address', 'Rua A, 1', 'Must be an object.'],
])('a %s rejects %j', (type, input, message) => {
  expect(errorsOf(type, input)).toEqual({ '': message })
})

test.each(CUSTOM_FIELD_TYPES)('an undefined %s is required', (type) => {
  expect(errorsOf(type, undefined)).toEqual({ '': 'Required.' })
})

test('every invalid option is reported', () => {
  expect(errorsOf('multi_select', ['red', 'green', 5, 'a b', null])).toEqual({
    '[1]': UNKNOWN_OPTION,
    '[2]': 'Must be a string.',
    '[3]': KEY_FORMAT,
    '[4]': 'Must not be null.',
  })
})

test('an option cannot be repeated, ignoring case', () => {
  const message = 'Must not name an option twice.'
  expect(errorsOf('multi_select', ['red', 'tostring', 'RED', 'toString', 'red'])).toEqual({
    '[2]': message,
    '[3]': message,
    '[4]': message,
  })
})

test('every invalid part of an address is reported', () => {
  const json =
    '{"street":5,"city":"a\\nb","state":"","zip_code":"1","postalcode":"2",' +
    '"__proto__":{"city":"x"},"constructor":"y"}'
  expect(errorsOf('address', JSON.parse(json))).toEqual(
    Object.fromEntries([
      ['.street', 'Must be a string.'],
      ['.city', CONTROL],
      ['.zip_code', 'Unknown field.'],
      ['.postalcode', 'Unknown field. Did you mean "postal_code"?'],
      ['.__proto__', 'Unknown field.'],
      ['.constructor', 'Unknown field.'],
    ]),
  )
  expect(errorsOf('address', { country: 'x'.repeat(256) })).toEqual({
    '.country': 'Must be at most 255 characters.',
  })
})

test('a select accepts only its own options', () => {
  const field = { type: 'select', value: { select_list: [{ key: 'red', option: 'Red' }] } } as const
  expect(parseValue(field, 'red')).toEqual({ value: ['red'] })
  expect(parseValue(field, 'constructor')).toEqual({ errors: { '': UNKNOWN_OPTION } })
  expect(parseValue({ ...field, value: null }, 'red')).toEqual({ errors: { '': UNKNOWN_OPTION } })
})

describe('any JSON value', () => {
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

  test('is stored or rejected with a message, and never mutated', () => {
    fc.assert(
      fc.property(type, json, (kind, input) => {
        const before = structuredClone(input)
        const result = parseValue(fieldOf(kind), input)
        expect(input).toStrictEqual(before)
        if ('errors' in result)
          expect(
            Object.values(result.errors).every((message) => message.endsWith('.') || message.endsWith('?')),
          ).toBe(true)
        if ('errors' in result) expect(Object.keys(result.errors)).not.toHaveLength(0)
      }),
      { numRuns: 2000 },
    )
  })

  test('is stored as JSON, and its response is accepted and stored as the same value', () => {
    fc.assert(
      fc.property(type, json, (kind, input) => {
        const result = parseValue(fieldOf(kind), input)
        fc.pre('value' in result)
        const copy = JSON.parse(JSON.stringify(result.value))
        expect(copy).toStrictEqual(result.value)
        const responseValue = copy === null ? null : toResponseValue({ type: kind }, copy)
        expect(parseValue(fieldOf(kind), responseValue)).toStrictEqual(result)
      }),
      { numRuns: 2000 },
    )
  })
})
