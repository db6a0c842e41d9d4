import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test.each([
  [{ b: 1, a: [2, { d: null, c: 'x' }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
  [JSON.parse('{"__proto__":{"b":1},"10":1,"9":2}'), '{"10":1,"9":2,"__proto__":{"b":1}}'],
  [[[['a', 1]]], '[[["a",1]]]'],
  [{ a: 1 }, '{"a":1}'],
  [{ a: undefined, b: null }, '{"b":null}'],
  ['é\u2028', '"é\u2028"'],
  [null, 'null'],
  [undefined, 'null'],
])('canonicalJson converts %j to %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('canonicalJson preserves every value and does not depend on the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reverseKeys(value))).toBe(text)
    }),
  )
})

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, element]) => [key, reverseKeys(element)] as const)
      .toReversed(),
  )
}
