import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOpaqueToken, parseOpaqueToken } from './opaque-token.ts'

const FIRST = '0191d2f0-1234-7abc-8def-0123456789ab'
const SECOND = '0191d2f0-ffff-7000-bfff-ffffffffffff'
/** The prefixes, and the number of ids in their tokens. */
const KINDS = [
  { prefix: 'crm_ses_', count: 1 },
  { prefix: 'crm_ac_', count: 1 },
  { prefix: 'crm_rt_', count: 2 },
  { prefix: 'crm_ln_', count: 1 },
  { prefix: 'crm_in_', count: 1 },
] as const

test('a token is its prefix, its ids without hyphens and 256 bits in hex', () => {
  const bits = Uint8Array.from({ length: 32 }, (_, index) => index)
  expect(createOpaqueToken('crm_rt_', [FIRST, SECOND], () => bits)).toBe(
    'crm_rt_' +
      '0191d2f012347abc8def0123456789ab' +
      '0191d2f0ffff7000bfffffffffffffff' +
      '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  )
})

test('a token contains its ids, for any prefix, ids and bits', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.uuid(), { maxLength: 4 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (prefix, ids, bits) => {
        const token = createOpaqueToken(prefix, ids, () => bits)
        expect(parseOpaqueToken(prefix, ids.length, token)).toEqual(ids)
        expect(parseOpaqueToken(prefix, ids.length + 1, token)).toBeUndefined()
        if (ids.length > 0) expect(parseOpaqueToken(prefix, ids.length - 1, token)).toBeUndefined()
      },
    ),
  )
})

describe.each(KINDS)('$prefix', ({ prefix, count }) => {
  const ids = [FIRST, SECOND].slice(0, count)

  test('the random bits of ten thousand tokens are distinct', () => {
    const knownPart = prefix + ids.join('').replaceAll('-', '')
    const tokens = Array.from({ length: 10_000 }, () => createOpaqueToken(prefix, ids, randomBytes))
    expect(
      tokens.filter(
        (each) => !each.startsWith(knownPart) || !/^[0-9a-f]{64}$/.test(each.slice(knownPart.length)),
      ),
    ).toEqual([])
    expect(new Set(tokens).size).toBe(10_000)
  })

  const token = createOpaqueToken(prefix, ids, () => new Uint8Array(32).fill(0xab))
  const rest = token.slice(prefix.length)

  test.each([
    ['in upper case', token.toUpperCase()],
    ['with an upper-case letter', `${token.slice(0, -1)}B`],
    ['without its last digit', token.slice(0, -1)],
    ['with an extra digit', `${token}a`],
    ['with a line end', `${token}\n`],
    ['with a space before it', ` ${token}`],
    ['with a letter that is not a hex digit', `${token.slice(0, -1)}g`],
    ['with a digit of another script', `${token.slice(0, -1)}١`],
    ['with hyphenated ids', prefix + ids.join('') + rest.slice(32 * count)],
    ['with an extra id', prefix + rest.slice(0, 32) + rest],
    ['without an id', prefix + rest.slice(32)],
    ['without its prefix', rest],
    ['with its prefix twice', prefix + token],
    ['of ids only', prefix + rest.slice(0, 32 * count)],
    ['of its prefix only', prefix],
    ['that is empty', ''],
    ...KINDS.filter((other) => other.prefix !== prefix).map((other) => [
      `with the prefix ${other.prefix}`,
      other.prefix + rest,
    ]),
  ])('a text %s is rejected', (_, text) => {
    expect(parseOpaqueToken(prefix, count, token)).toEqual(ids)
    expect(parseOpaqueToken(prefix, count, text!)).toBeUndefined()
  })
})
