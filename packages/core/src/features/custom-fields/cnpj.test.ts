import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCnpj } from './cnpj.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const base = fc.oneof(fc.stringMatching(/^[0-9A-Z]{12}$/), fc.stringMatching(/^[0-9]{12}$/))
const nonZeroBase = base.filter((characters) => characters !== '000000000000')

/**
 * Reference implementation as the rule is published: a table of weights for each check digit, and values from
 * 0 for `0` to 42 for `Z`.
 */
function appendCheckDigits(characters: string): string {
  const first = computeCheckDigit(characters, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
  const second = computeCheckDigit(`${characters}${first}`, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
  return `${characters}${first}${second}`
}

function computeCheckDigit(characters: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * valueAt(characters, index), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

function valueAt(characters: string, index: number): number {
  const rank = ALPHABET.indexOf(characters[index]!)
  return rank < 10 ? rank : rank + 7
}

function formatCnpj(cnpj: string): string {
  return `${cnpj.slice(0, 2)}.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/${cnpj.slice(8, 12)}-${cnpj.slice(12)}`
}

test.each([
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['12ABC34501DE35', '12ABC34501DE35'],
  ['12.abc.345/01de-35', '12ABC34501DE35'],
  ['12AbC34501dE35', '12ABC34501DE35'],
  ['12ABC345/01DE-35', '12ABC34501DE35'],
  ['12.ABC.34501DE35', '12ABC34501DE35'],
  ['33.000.167/0001-01', '33000167000101'],
  ['00.000.000/0001-91', '00000000000191'],
  ['\t11222333000181 ', '11222333000181'],
])('%j is a CNPJ', (text, characters) => {
  expect(parseCnpj(text)).toBe(characters)
})

test.each([
  '',
  '12.ABC.345/01DE-34',
  '12.ABC.345/01DE-25',
  '12ABC34501DE3',
  '12ABC34501DE355',
  '12ABC34501DEA5',
  '12ABC34501DE3A',
  '12-ABC-345/01DE-35',
  '12 ABC 345 01DE 35',
  '12.ABC.345\\01DE-35',
  '1２ABC34501DE35',
  '12ÀBC34501DE35',
  '12ABC34501DE35\n0',
  '12ABC34501DE3\0',
  '529.982.247-25',
])('%j is not a CNPJ', (text) => {
  expect(parseCnpj(text)).toBeUndefined()
})

test.each([
  ['ſ', 'S'],
  ['ı', 'I'],
])('%s is not read as %s, its upper case', (letter, upper) => {
  const cnpj = appendCheckDigits(`${upper}2ABC34501DE`)
  expect(parseCnpj(cnpj)).toBe(cnpj)
  expect(parseCnpj(cnpj.replace(upper, letter))).toBeUndefined()
})

test('fourteen zeros are not a CNPJ, although their check digits are valid', () => {
  expect(appendCheckDigits('000000000000')).toBe('00000000000000')
  expect(parseCnpj('00000000000000')).toBeUndefined()
  expect(parseCnpj('00.000.000/0000-00')).toBeUndefined()
})

test('twelve characters, not all zero, have one pair of check digits, with punctuation or without', () => {
  fc.assert(
    fc.property(nonZeroBase, (characters) => {
      const cnpj = appendCheckDigits(characters)
      expect(parseCnpj(cnpj)).toBe(cnpj)
      expect(parseCnpj(formatCnpj(cnpj))).toBe(cnpj)
      expect(parseCnpj(` ${formatCnpj(cnpj).toLowerCase()} `)).toBe(cnpj)
      const endings = Array.from(
        { length: 100 },
        (_, ending) => `${characters}${String(ending).padStart(2, '0')}`,
      )
      expect(endings.filter((text) => parseCnpj(text) !== undefined)).toEqual([cnpj])
    }),
  )
})

// Characters whose values are equal modulo 11 have the same check digits. Remainders 0 and 1 share the check
// digit 0: if both digits are 0, neither detects a change of the first or ninth character by 2, or of the
// fifth by 5, modulo 11.
function isUndetectable(cnpj: string, position: number, change: number): boolean {
  const distance = Math.min(change % 11, 11 - (change % 11))
  if (position > 11) return false
  return (
    distance === 0 ||
    (cnpj.endsWith('00') && distance === (position === 4 ? 5 : 2) && [0, 4, 8].includes(position))
  )
}

test('a change of one character is detected, except where check digits cannot detect it', () => {
  fc.assert(
    fc.property(base, fc.nat(13), fc.constantFrom(...ALPHABET), (characters, position, character) => {
      const cnpj = appendCheckDigits(characters)
      const change = Math.abs(valueAt(character, 0) - valueAt(cnpj, position))
      fc.pre(cnpj[position] !== character && !isUndetectable(cnpj, position, change))
      expect(parseCnpj(`${cnpj.slice(0, position)}${character}${cnpj.slice(position + 1)}`)).toBeUndefined()
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['C05BXF962ABF00', '605BXF962ABF00'],
  ['C05BXF962ABF00', 'C05B1F962ABF00'],
  ['C05BXF962ABF00', 'C05BXF960ABF00'],
  ['12ABC34501DE35', '12LBC34501DE35'],
])('%s and %s are both valid and differ in one character', (one, other) => {
  expect(parseCnpj(one)).toBe(one)
  expect(parseCnpj(other)).toBe(other)
})
