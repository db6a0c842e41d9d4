import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOpaqueToken, parseOpaqueToken } from './opaque-token.ts'

const FIRST = '0191d2f0-1234-7abc-8def-0123456789ab'
const SECOND = '0191d2f0-ffff-7000-bfff-ffffffffffff'
/** Which there are, and how many ids each names. */
const KINDS = [
  { prefix: 'crm_ses_', count: 1 },
  { prefix: 'crm_ac_', count: 1 },
  { prefix: 'crm_rt_', count: 2 },
  { prefix: 'crm_ln_', count: 1 },
  { prefix: 'crm_in_', count: 1 },
] as const

test('a handle is its prefix, its ids without dashes and 256 bits in hex', () => {
  const bits = Uint8Array.from({ length: 32 }, (_, index) => index)
  expect(createOpaqueToken('crm_rt_', [FIRST, SECOND], () => bits)).toBe(
    'crm_rt_' +
      '0191d2f012347abc8def0123456789ab' +
      '0191d2f0ffff7000bfffffffffffffff' +
      '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  )
})

test('whatever its prefix, ids and bits, a handle names the ids it was made with', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.uuid(), { maxLength: 4 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (prefix, ids, bits) => {
        const handle = createOpaqueToken(prefix, ids, () => bits)
        expect(parseOpaqueToken(prefix, ids.length, handle)).toEqual(ids)
        expect(parseOpaqueToken(prefix, ids.length + 1, handle)).toBeUndefined()
        if (ids.length > 0) expect(parseOpaqueToken(prefix, ids.length - 1, handle)).toBeUndefined()
      },
    ),
  )
})

describe.each(KINDS)('$prefix', ({ prefix, count }) => {
  const ids = [FIRST, SECOND].slice(0, count)

  test('of ten thousand handles of one record no two share their random bits', () => {
    const named = prefix + ids.join('').replaceAll('-', '')
    const handles = Array.from({ length: 10_000 }, () => createOpaqueToken(prefix, ids, randomBytes))
    expect(
      handles.filter((each) => !each.startsWith(named) || !/^[0-9a-f]{64}$/.test(each.slice(named.length))),
    ).toEqual([])
    expect(new Set(handles).size).toBe(10_000)
  })

  const handle = createOpaqueToken(prefix, ids, () => new Uint8Array(32).fill(0xab))
  const rest = handle.slice(prefix.length)

  test.each([
    ['in upper case', handle.toUpperCase()],
    ['with one letter in upper case', `${handle.slice(0, -1)}B`],
    ['without its last digit', handle.slice(0, -1)],
    ['with a digit more', `${handle}a`],
    ['with a line end', `${handle}\n`],
    ['with a space before it', ` ${handle}`],
    ['with a letter that is no digit', `${handle.slice(0, -1)}g`],
    ['with a digit of another script', `${handle.slice(0, -1)}١`],
    ['with its ids as they are written elsewhere', prefix + ids.join('') + rest.slice(32 * count)],
    ['with one id more', prefix + rest.slice(0, 32) + rest],
    ['with one id less', prefix + rest.slice(32)],
    ['without its prefix', rest],
    ['with its prefix twice', prefix + handle],
    ['of ids alone', prefix + rest.slice(0, 32 * count)],
    ['of its prefix alone', prefix],
    ['of nothing', ''],
    ...KINDS.filter((other) => other.prefix !== prefix).map((other) => [
      `with the prefix ${other.prefix}`,
      other.prefix + rest,
    ]),
  ])('a text %s names nothing', (_, text) => {
    expect(parseOpaqueToken(prefix, count, handle)).toEqual(ids)
    expect(parseOpaqueToken(prefix, count, text!)).toBeUndefined()
  })
})
