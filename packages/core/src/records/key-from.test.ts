import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeKey, keyFrom } from './key-from.ts'

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
  expect(keyFrom(from, 35)).toBe(made)
})

test('a key made from any title is a key, or empty', () => {
  fc.assert(
    fc.property(title, (from) => {
      const made = keyFrom(from, 35)
      expect(made === '' || (KEY.test(made) && made.length <= 35)).toBe(true)
    }),
  )
})

test('making a key from a key changes nothing', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(keyFrom(key, 35)).toBe(key)
    }),
  )
})

test.each([
  ['call', [], 'call'],
  ['call', ['call'], 'call_2'],
  ['call', ['call', 'call_2', 'call_4'], 'call_3'],
  ['call', ['call_2'], 'call'],
  ['x'.repeat(35), ['x'.repeat(35)], `${'x'.repeat(33)}_2`],
  [`${'x'.repeat(32)}_yy`, [`${'x'.repeat(32)}_yy`], `${'x'.repeat(32)}_2`],
])('%s beside %j is %s', (base, taken, free) => {
  expect(freeKey(base, new Set(taken), 35)).toBe(free)
})

test('a free key is a key that nobody has', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 0, max: 120 }), (base, count) => {
      const taken = new Set<string>()
      for (let made = 0; made <= count; made += 1) {
        const free = freeKey(base, taken, 35)
        expect(taken.has(free)).toBe(false)
        expect(free).toMatch(KEY)
        expect(free.length).toBeLessThanOrEqual(35)
        taken.add(free)
      }
    }),
    { numRuns: 30 },
  )
})
