import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCpf } from './cpf.ts'

const base = fc.stringMatching(/^[0-9]{9}$/)

/** As the rule is published: a table of weights for each check digit. */
function withCheckDigits(digits: string): string {
  const first = checkDigit(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2])
  return `${digits}${first}${checkDigit(`${digits}${first}`, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])}`
}

function checkDigit(digits: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

function masked(digits: string): string {
  return `${digits.slice(0, 3)}.${digits.slice(3, 6)}.${digits.slice(6, 9)}-${digits.slice(9)}`
}

function allEqual(digits: string): boolean {
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
])('%j is no CPF', (text) => {
  expect(parseCpf(text)).toBeUndefined()
})

test.each(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])('eleven times %s is no CPF', (digit) => {
  expect(withCheckDigits(digit.repeat(9))).toBe(digit.repeat(11))
  expect(parseCpf(digit.repeat(11))).toBeUndefined()
  expect(parseCpf(masked(digit.repeat(11)))).toBeUndefined()
})

test('any nine digits, not all equal, have one pair of check digits, and are one CPF in both forms', () => {
  fc.assert(
    fc.property(
      base.filter((digits) => !allEqual(digits)),
      (digits) => {
        const cpf = withCheckDigits(digits)
        expect(parseCpf(cpf)).toBe(cpf)
        expect(parseCpf(masked(cpf))).toBe(cpf)
        expect(parseCpf(` ${masked(cpf)} `)).toBe(cpf)
        const endings = Array.from(
          { length: 100 },
          (_, ending) => `${digits}${String(ending).padStart(2, '0')}`,
        )
        expect(endings.filter((text) => parseCpf(text) !== undefined)).toEqual([cpf])
      },
    ),
  )
})

// A rest of 0 and a rest of 1 share the check digit 0: a change that turns one into the other is not seen by that digit. The second
// digit gives the first of the nine no weight, and is blind at once with the first only to a change of the sixth by 2, modulo 11.
function mayGoUnnoticed(cpf: string, position: number, change: number): boolean {
  if (position === 0) return change === 1 && cpf[9] === '0'
  return position === 5 && (change === 2 || change === 9) && cpf.endsWith('00')
}

test('changing one digit is noticed wherever the check digits can tell', () => {
  fc.assert(
    fc.property(base, fc.nat(10), fc.integer({ min: 1, max: 9 }), (digits, position, step) => {
      const cpf = withCheckDigits(digits)
      const before = Number(cpf[position])
      const after = (before + step) % 10
      fc.pre(!mayGoUnnoticed(cpf, position, Math.abs(after - before)))
      expect(parseCpf(`${cpf.slice(0, position)}${after}${cpf.slice(position + 1)}`)).toBeUndefined()
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['00000033103', '10000033103'],
  ['00001026100', '00001226100'],
  ['00009930000', '00009030000'],
])('%s and %s are both CPFs, one digit apart', (one, other) => {
  expect(parseCpf(one)).toBe(one)
  expect(parseCpf(other)).toBe(other)
})
