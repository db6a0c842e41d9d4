import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCpf } from './cpf.ts'

const base = fc.stringMatching(/^[0-9]{9}$/)

/** Reference implementation as the rule is published: a table of weights for each check digit. */
function appendCheckDigits(digits: string): string {
  const first = computeCheckDigit(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2])
  const second = computeCheckDigit(`${digits}${first}`, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  return `${digits}${first}${second}`
}

function computeCheckDigit(digits: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

function formatCpf(digits: string): string {
  return `${digits.slice(0, 3)}.${digits.slice(3, 6)}.${digits.slice(6, 9)}-${digits.slice(9)}`
}

function areAllEqual(digits: string): boolean {
  return new Set(digits).size === 1
}

test.each([
  ['529.982.247-25', '52998224725'],
  ['529982247-25', '52998224725'],
  ['529.982.24725', '52998224725'],
  ['529.982247-25', '52998224725'],
  ['52998224725', '52998224725'],
  ['123.456.789-09', '12345678909'],
  ['111.444.777-35', '11144477735'],
  ['00000000191', '00000000191'],
  [' 529.982.247-25\n', '52998224725'],
])('%j is a CPF', (text, digits) => {
  expect(parseCpf(text)).toBe(digits)
})

test.each([
  '',
  '529.982.247-24',
  '529.982.247-35',
  '5299822472',
  '529982247255',
  '529-982-247.25',
  '529 982 247 25',
  '529.982.247/25',
  '529.982.247-25x',
  '52998224725\n1',
  '+5299822472',
  '５２９９８２２４７２５',
  '٥٢٩٩٨٢٢٤٧٢٥',
  '529.982.247\u201025',
  '5299822472\0',
])('%j is not a CPF', (text) => {
  expect(parseCpf(text)).toBeUndefined()
})

test.each(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])('eleven times %s is not a CPF', (digit) => {
  expect(appendCheckDigits(digit.repeat(9))).toBe(digit.repeat(11))
  expect(parseCpf(digit.repeat(11))).toBeUndefined()
  expect(parseCpf(formatCpf(digit.repeat(11)))).toBeUndefined()
})

test('nine digits, not all equal, have one pair of check digits, with punctuation or without', () => {
  fc.assert(
    fc.property(
      base.filter((digits) => !areAllEqual(digits)),
      (digits) => {
        const cpf = appendCheckDigits(digits)
        expect(parseCpf(cpf)).toBe(cpf)
        expect(parseCpf(formatCpf(cpf))).toBe(cpf)
        expect(parseCpf(` ${formatCpf(cpf)} `)).toBe(cpf)
        const endings = Array.from(
          { length: 100 },
          (_, ending) => `${digits}${String(ending).padStart(2, '0')}`,
        )
        expect(endings.filter((text) => parseCpf(text) !== undefined)).toEqual([cpf])
      },
    ),
  )
})

// Remainders 0 and 1 share the check digit 0, which does not detect a change from one to the other. The
// second check digit gives the first of the nine digits no weight. Both miss only a change of the sixth by 2,
// modulo 11.
function isUndetectable(cpf: string, position: number, change: number): boolean {
  if (position === 0) return change === 1 && cpf[9] === '0'
  return position === 5 && (change === 2 || change === 9) && cpf.endsWith('00')
}

test('a change of one digit is detected, except where check digits cannot detect it', () => {
  fc.assert(
    fc.property(base, fc.nat(10), fc.integer({ min: 1, max: 9 }), (digits, position, step) => {
      const cpf = appendCheckDigits(digits)
      const before = Number(cpf[position])
      const after = (before + step) % 10
      fc.pre(!isUndetectable(cpf, position, Math.abs(after - before)))
      expect(parseCpf(`${cpf.slice(0, position)}${after}${cpf.slice(position + 1)}`)).toBeUndefined()
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['00000033103', '10000033103'],
  ['00001026100', '00001226100'],
  ['00009930000', '00009030000'],
])('%s and %s are both valid and differ in one digit', (one, other) => {
  expect(parseCpf(one)).toBe(one)
  expect(parseCpf(other)).toBe(other)
})
