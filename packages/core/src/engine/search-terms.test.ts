import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from '../kernel/fold-text.ts'
import {
  extractPhoneTerms,
  extractRecordTerms,
  extractTerms,
  extractTextTerms,
  joinTerms,
} from './search-terms.ts'

describe('folding', () => {
  test.each([
    ['João', 'joao'],
    ['JOÃO', 'joao'],
    ['Jo\u0061\u0303o', 'joao'],
    ['Łódź', 'lodz'],
    ['Øresund', 'oresund'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['ısı', 'isi'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['Æsir', 'aesir'],
    ['Ｆｕｌｌ', 'full'],
    ['ﬁx', 'fix'],
    ['Ёлка', 'елка'],
    ['電話', '電話'],
  ])('converts %s to %s', (text, plain) => {
    expect(foldText(text)).toBe(plain)
  })

  test('is idempotent for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })
})

describe('the terms of a text', () => {
  test.each([
    ['Ana  Souza-Lima', ['ana', 'souza', 'lima']],
    ['ana.souza+crm@acme.example', ['ana', 'souza', 'crm', 'acme', 'example']],
    ['tag_lead', ['tag', 'lead']],
    ["O'Neil & Sons, Ltd.", ['o', 'neil', 'sons', 'ltd']],
    ['№ 5 ½', ['no', '5', '1', '2']],
    ['  --  ', []],
    ['', []],
    ['x'.repeat(300), ['x'.repeat(100)]],
  ])('%j', (text, words) => {
    expect(extractTerms(text)).toEqual(words)
  })

  test.each([
    ["Ana O'Brien", ['ana', 'o', 'brien', 'obrien']],
    ['O’Brien', ['o', 'brien', 'obrien']],
    ['OʼBrien', ['oʼbrien', 'obrien']],
    ["D'Ávila's Café", ['d', 'avila', 's', 'cafe', 'davilas']],
    ["'quoted' dogs' ' ''", ['quoted', 'dogs']],
    ["o'hara@acme.example", ['o', 'hara', 'acme', 'example', 'ohara']],
    [`o'${'x'.repeat(300)}`, ['o', 'x'.repeat(100), `o${'x'.repeat(99)}`]],
  ])('of a record include words without their apostrophes: %j', (text, words) => {
    expect(extractRecordTerms(text)).toEqual(words)
  })

  test('are valid for every store, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const word of extractRecordTerms(text)) {
          expect(word).toMatch(/^[\p{L}\p{N}]{1,100}$/u)
          expect(word).toBe(word.toLowerCase())
        }
      }),
    )
  })
})

test.each([
  ['+55 11 99999-0000', ['5511999990000', '11999990000', '999990000', '0000']],
  ['(11) 4004', ['114004', '4004']],
  ['190', ['190']],
  ['+5541900006230', ['5541900006230', '541900006230', '41900006230', '1900006230']],
  ['+551 1900', ['5511900', '1900']],
  ['+', []],
])('the phone number %s has a term for each suffix of its groups', (phone, words) => {
  expect(extractPhoneTerms(phone)).toEqual(words)
})

test('are distinct after joining', () => {
  expect(joinTerms(['ana', 'lima', 'ana'])).toBe('ana lima')
  expect(joinTerms([])).toBe('')
})

describe('the terms of a long text', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, nth) => String(10_000 + nth))

  test('are the first thousand different ones', () => {
    expect(extractTextTerms([...numbers(999), ...numbers(999), 'last', 'omitted'].join(' '))).toEqual([
      ...numbers(999),
      'last',
    ])
  })

  test('are those of its first 20 000 characters', () => {
    expect(extractTextTerms(`${'a '.repeat(9_998)}last omitted`)).toEqual(['a', 'last'])
    expect(extractTextTerms(`${'a'.repeat(19_999)}\u{1f600} b`)).toEqual(['a'.repeat(100)])
  })
})
