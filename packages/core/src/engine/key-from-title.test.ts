import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildKey, buildNthKey } from './key-from-title.ts'

const KEY = /^[a-z0-9]+(_[a-z0-9]+)*$/
const title = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.stringMatching(/^[a-zA-Z0-9 _.-]{0,60}$/),
)
const keys = fc.stringMatching(/^[a-z0-9]{1,11}(_[a-z0-9]{1,11}){0,2}$/)

test.each([
  ['Call', 'call'],
  ['Lead Quente', 'lead_quente'],
  ['Reunião às 3', 'reuniao_as_3'],
  ['  --Call -- back!  ', 'call_back'],
  ['E-mail', 'e_mail'],
  ['Ｆｕｌｌ', 'full'],
  ['ﬁx', 'fix'],
  ['__', ''],
  ['電話', ''],
  ['😀', ''],
  ['', ''],
  ['x'.repeat(60), 'x'.repeat(35)],
  [`${'x'.repeat(34)} y`, 'x'.repeat(34)],
  [` ${'x'.repeat(35)}`, 'x'.repeat(35)],
])('%j gives the key %j', (from, key) => {
  expect(buildKey(from, 35)).toBe(key)
})

test('any title gives a valid or empty key', () => {
  fc.assert(
    fc.property(title, (from) => {
      const key = buildKey(from, 35)
      expect(key === '' || (KEY.test(key) && key.length <= 35)).toBe(true)
    }),
  )
})

test('a key gives itself', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(buildKey(key, 35)).toBe(key)
    }),
  )
})

test.each([
  ['call', 1, 'call'],
  ['call', 2, 'call_2'],
  ['call', 103, 'call_103'],
  ['x'.repeat(35), 1, 'x'.repeat(35)],
  ['x'.repeat(35), 2, `${'x'.repeat(33)}_2`],
  [`${'x'.repeat(32)}_yy`, 2, `${'x'.repeat(32)}_2`],
  ['x'.repeat(35), 10, `${'x'.repeat(32)}_10`],
])('%s with number %i is %s', (base, nth, key) => {
  expect(buildNthKey(base, nth, 35)).toBe(key)
})

test('numbered keys are valid and distinct', () => {
  fc.assert(
    fc.property(keys, (base) => {
      const numbered = Array.from({ length: 120 }, (_, index) => buildNthKey(base, index + 1, 35))
      for (const key of numbered) expect(key).toMatch(KEY)
      expect(Math.max(...numbered.map((key) => key.length))).toBeLessThanOrEqual(35)
      // The base itself ends in a number and occurs once.
      expect(new Set(numbered.slice(1)).size).toBe(119)
    }),
    { numRuns: 30 },
  )
})
