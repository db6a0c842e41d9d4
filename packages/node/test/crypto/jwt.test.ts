import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jwtTokens } from '../../src/index.ts'

const secret = new Uint8Array(32).fill(7)
const otherSecret = new Uint8Array(32).fill(8)
const claims = {
  iss: 'https://crm.example',
  exp: 1_800_000_000,
  service_scopes: ['people:read'],
  name: 'Zoë',
}

const encodePart = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token of any header and payload, rightly signed, so that nothing but its form can be refused. */
function signToken(header: unknown, payload: unknown = claims, hash = 'sha256'): string {
  const message = `${encodePart(header)}.${encodePart(payload)}`
  return `${message}.${createHmac(hash, secret).update(message).digest('base64url')}`
}

describe('signing and verifying', () => {
  test('a token gives back its kid and its claims', () => {
    const { sign, readKeyId: kidOf, verify } = jwtTokens()
    const token = sign(claims, 'key-1', secret)
    expect(kidOf(token)).toBe('key-1')
    expect(verify(token, secret)).toEqual(claims)
    expect(verify(token, secret)).toEqual(claims)
    expect(kidOf(token)).toBe('key-1')
  })

  test('a token is the same as any JWT library makes of these claims', () => {
    const token = jwtTokens().sign(claims, 'key-1', secret)
    expect(token).toBe(signToken({ alg: 'HS256', typ: 'JWT', kid: 'key-1' }))
  })

  test('the example of RFC 7515 has a right signature, but no kid: it is refused', () => {
    const key = Buffer.from(
      'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
      'base64url',
    )
    const token =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    expect(jwtTokens().verify(token, key)).toBeUndefined()
  })

  test('tokens of access-token type, and without a type, are read', () => {
    const { readKeyId: kidOf, verify } = jwtTokens()
    for (const token of [
      signToken({ alg: 'HS256', kid: 'k' }),
      signToken({ alg: 'HS256', kid: 'k', typ: 'at+jwt' }),
    ]) {
      expect(kidOf(token)).toBe('k')
      expect(verify(token, secret)).toEqual(claims)
    }
  })

  test('keys that look like a prototype are claims like any other', () => {
    const token = signToken({ alg: 'HS256', kid: 'k' }, '{"__proto__":{"admin":true},"constructor":1}')
    const read = jwtTokens().verify(token, secret)
    expect(read?.['admin']).toBeUndefined()
    expect(read?.['constructor']).toBe(1)
  })

  test('expiry is left to the caller', () => {
    const { sign, verify } = jwtTokens()
    expect(verify(sign({ exp: 1 }, 'k', secret), secret)).toEqual({ exp: 1 })
  })
})

const header = { alg: 'HS256', typ: 'JWT', kid: 'key-1' }

describe.each([
  ['alg none', `${encodePart({ ...header, alg: 'none' })}.${encodePart(claims)}.`],
  ['alg none, rightly signed', signToken({ ...header, alg: 'none' })],
  ['alg in lower case', signToken({ ...header, alg: 'hs256' })],
  ['alg HS512', signToken({ ...header, alg: 'HS512' }, claims, 'sha512')],
  ['alg HS512 over a SHA-256 signature', signToken({ ...header, alg: 'HS512' })],
  ['alg RS256', signToken({ ...header, alg: 'RS256' })],
  ['alg as a list', signToken({ ...header, alg: ['HS256'] })],
  ['alg inherited', signToken('{"__proto__":{"alg":"HS256"},"kid":"key-1"}')],
  ['no alg', signToken({ kid: 'key-1' })],
  ['no kid', signToken({ alg: 'HS256' })],
  ['an empty kid', signToken({ ...header, kid: '' })],
  ['a kid of 65 characters', signToken({ ...header, kid: 'k'.repeat(65) })],
  ['a kid that is a number', signToken({ ...header, kid: 1 })],
  ['a kid that is a list', signToken({ ...header, kid: ['key-1'] })],
  ['a critical extension', signToken({ ...header, crit: ['b64'], b64: false })],
  ['an empty list of critical extensions', signToken({ ...header, crit: [] })],
  ['null as critical extensions', signToken({ ...header, crit: null })],
  ['another type', signToken({ ...header, typ: 'logout+jwt' })],
  ['null as type', signToken({ ...header, typ: null })],
  ['a header that is a list', signToken([header])],
  ['a header that is null', signToken(null)],
  ['a header that is no JSON', signToken('{alg:HS256}')],
  ['a payload that is a list', signToken(header, [claims])],
  ['a payload that is null', signToken(header, null)],
  ['a payload that is text', signToken(header, '"claims"')],
  ['a payload that is no JSON', signToken(header, 'claims')],
  ['one part', encodePart(header)],
  ['two parts', `${encodePart(header)}.${encodePart(claims)}`],
  ['four parts', `${signToken(header)}.${encodePart(claims)}`],
  ['an empty header', signToken('')],
  ['an empty payload', signToken(header, '')],
  ['nothing', ''],
  ['two dots', '..'],
])('a token with %s', (_, token) => {
  test('has no kid and does not verify', () => {
    const { readKeyId: kidOf, verify } = jwtTokens()
    expect(kidOf(token)).toBeUndefined()
    expect(verify(token, secret)).toBeUndefined()
  })
})

describe('a token that was verified before', () => {
  const tokens = jwtTokens()
  const good = tokens.sign(claims, 'key-1', secret)
  const [head, payload, signature] = good.split('.') as [string, string, string]

  test('does not verify under another secret', () => {
    expect(tokens.verify(good, secret)).toEqual(claims)
    expect(tokens.verify(good, otherSecret)).toBeUndefined()
    expect(tokens.verify(good, secret.subarray(1))).toBeUndefined()
    expect(tokens.verify(good, secret)).toEqual(claims)
  })

  test('is still remembered when an equal secret was read again', () => {
    const remembered = tokens.verify(good, secret)
    expect(remembered).toEqual(claims)
    expect(tokens.verify(good, Uint8Array.from(secret))).toBe(remembered)
  })

  test('does not verify with any one character of it changed', () => {
    expect(tokens.verify(good, secret)).toEqual(claims)
    for (let at = 0; at < good.length; at++) {
      const other = good[at] === 'A' ? 'B' : 'A'
      expect(tokens.verify(`${good.slice(0, at)}${other}${good.slice(at + 1)}`, secret)).toBeUndefined()
    }
  })

  test('does not verify with any one bit of its signature flipped', () => {
    expect(tokens.verify(good, secret)).toEqual(claims)
    for (let bit = 0; bit < 256; bit++) {
      const bytes = Buffer.from(signature, 'base64url')
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      expect(tokens.verify(`${head}.${payload}.${bytes.toString('base64url')}`, secret)).toBeUndefined()
    }
  })

  test('has no second spelling', () => {
    expect(tokens.verify(good, secret)).toEqual(claims)
    const sameBits = String.fromCharCode(signature.charCodeAt(42) + 1)
    expect(Buffer.from(signature.slice(0, 42) + sameBits, 'base64url')).toEqual(
      Buffer.from(signature, 'base64url'),
    )
    const spellings = [
      ...['=', '==', 'A', 'AA', ' ', '\n', '\0', '.', '%3D'].map((end) => good + end),
      `${head}.${payload}.${signature.slice(0, 42)}${sameBits}`,
      `${head}=.${payload}.${signature}`,
      `${head}.${payload}=.${signature}`,
      ` ${good}`,
    ]
    for (const spelling of spellings) {
      expect(tokens.readKeyId(spelling)).toBeUndefined()
      expect(tokens.verify(spelling, secret)).toBeUndefined()
    }
  })

  test('lends its signature to no other header or payload', () => {
    expect(tokens.verify(good, secret)).toEqual(claims)
    for (const alg of ['none', 'HS512', 'RS256']) {
      const forged = `${encodePart({ ...header, alg })}.${payload}.${signature}`
      expect(tokens.readKeyId(forged)).toBeUndefined()
      expect(tokens.verify(forged, secret)).toBeUndefined()
    }
    expect(
      tokens.verify(
        `${head}.${encodePart({ ...claims, service_scopes: ['deals:write'] })}.${signature}`,
        secret,
      ),
    ).toBeUndefined()
    expect(tokens.verify(`${head}.${payload}.`, secret)).toBeUndefined()
    expect(tokens.verify(`${head}..${signature}`, secret)).toBeUndefined()
    expect(tokens.verify(`.${payload}.${signature}`, secret)).toBeUndefined()
  })
})

test('ten thousand verified tokens are remembered, and the oldest is dropped for the next', () => {
  const { sign, verify } = jwtTokens()
  const made = Array.from({ length: 10_001 }, (_, jti) => sign({ jti }, 'key-1', secret))
  const [first, second, ...others] = made as [string, string, ...string[]]
  const [claimsOfFirst, claimsOfSecond] = [verify(first, secret), verify(second, secret)]
  for (const token of others.slice(1)) verify(token, secret)
  expect(verify(first, secret)).toBe(claimsOfFirst)
  verify(others[0]!, secret)
  expect(verify(second, secret)).toBe(claimsOfSecond)
  expect(verify(first, secret)).toEqual(claimsOfFirst)
  expect(verify(first, secret)).not.toBe(claimsOfFirst)
})

describe('what is no token at all', () => {
  const { readKeyId: kidOf, verify } = jwtTokens()
  const part = fc.oneof(fc.base64String(), fc.string(), fc.json().map(encodePart))
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    fc
      .tuple(fc.json(), fc.json())
      .map(([h, p]) => `${encodePart(h)}.${encodePart(p)}.${randomBytes(32).toString('base64url')}`),
  )

  test('never throws, has no kid and does not verify', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(kidOf(text)).toBeUndefined()
        expect(verify(text, secret)).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  test('may be nested as deeply as it fits in a header', () => {
    expect(kidOf(`${encodePart('['.repeat(20_000))}.${encodePart('{}')}.${'A'.repeat(43)}`)).toBeUndefined()
    expect(verify(signToken(header, `${'['.repeat(20_000)}${']'.repeat(20_000)}`), secret)).toBeUndefined()
  })
})
