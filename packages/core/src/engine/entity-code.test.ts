import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateEntityCode } from './entity-code.ts'

test('five bits of each byte select a character', () => {
  expect(generateEntityCode('P', () => Uint8Array.of(0, 1, 31, 32, 63, 255, 10))).toBe('P-01Z0ZZA')
})

test('a code is a letter, a hyphen and seven unambiguous characters', () => {
  const bytes = fc.uint8Array({ minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(bytes, (seven) => {
      expect(generateEntityCode('D', () => seven)).toMatch(/^D-[0-9A-HJKMNP-TV-Z]{7}$/)
    }),
  )
})
