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
])('%j', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('has every value back, and the same text whatever the order of its keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reversed(value))).toBe(text)
    }),
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, reversed(each)] as const)
      .toReversed(),
  )
}
