import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { phoneNumber } from '../schema/contact.ts'
import { isPhone } from './phone-text.ts'

test.each([
  ['+55 11 91234-5678', true],
  ['11\u00a091234\u20135678', true],
  [' 123 ', true],
  ['12', false],
  ['1'.repeat(31), false],
  ['ana', false],
  ['', false],
])('%j is a phone number: %j', (text, is) => {
  expect(isPhone(text)).toBe(is)
})

test('is what the schema of phone numbers takes', () => {
  const character = fc.constantFrom(...'0123456789 +-.()a\u00a0\u2013\u200b\t'.split(''))
  fc.assert(
    fc.property(fc.array(character, { maxLength: 34 }), (characters) => {
      const text = characters.join('')
      expect(isPhone(text)).toBe(v.is(phoneNumber, text))
    }),
  )
})
