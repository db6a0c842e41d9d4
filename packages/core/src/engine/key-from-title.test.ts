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
])('%j makes the key %j', (from, made) => {
  expect(buildKey(from, 35)).toBe(made)
})

test('a key made from any title is a key, or empty', () => {
  fc.assert(
    fc.property(title, (from) => {
      const made = buildKey(from, 35)
      expect(made === '' || (KEY.test(made) && made.length <= 35)).toBe(true)
    }),
  )
})

test('making a key from a key changes nothing', () => {
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
])('%s in place %i is %s', (base, nth, key) => {
  expect(buildNthKey(base, nth, 35)).toBe(key)
})

test('the keys in all places are keys, and no two are the same', () => {
  fc.assert(
    fc.property(keys, (base) => {
      const made = Array.from({ length: 120 }, (_, index) => buildNthKey(base, index + 1, 35))
      for (const key of made) expect(key).toMatch(KEY)
      expect(Math.max(...made.map((key) => key.length))).toBeLessThanOrEqual(35)
      // A base that is numbered itself is met once on the way.
      expect(new Set(made.slice(1)).size).toBe(119)
    }),
    { numRuns: 30 },
  )
})
