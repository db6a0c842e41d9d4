import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jwtTokens } from '../../src/crypto/jwt.ts'

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

/** Builds a token with any header and payload and a valid signature, so that only its form can be invalid. */
function signToken(header: unknown, payload: unknown = claims, hash = 'sha256'): string {
  const message = `${encodePart(header)}.${encodePart(payload)}`
  return `${message}.${createHmac(hash, secret).update(message).digest('base64url')}`
}

describe('jwtTokens', () => {
  test('returns the key id and claims of a token', () => {
    const { sign, readKeyId, verify } = jwtTokens()
    const token = sign(claims, 'key-1', secret)
    expect(readKeyId(token)).toBe('key-1')
    expect(verify(token, secret)).toEqual(claims)
    expect(verify(token, secret)).toEqual(claims)
    expect(readKeyId(token)).toBe('key-1')
  })

  test('signs the same token as other JWT libraries', () => {
    const token = jwtTokens().sign(claims, 'key-1', secret)
    expect(token).toBe(signToken({ alg: 'HS256', typ: 'JWT', kid: 'key-1' }))
  })

  test('rejects the example of RFC 7515, whose signature is valid, because it has no kid', () => {
    const key = Buffer.from(
      'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
      'base64url',
    )
    const token =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    expect(jwtTokens().verify(token, key)).toBeUndefined()
  })

  test('accepts tokens of type at+jwt and tokens without a type', () => {
    const { readKeyId, verify } = jwtTokens()
    for (const token of [
      signToken({ alg: 'HS256', kid: 'k' }),
      signToken({ alg: 'HS256', kid: 'k', typ: 'at+jwt' }),
    ]) {
      expect(readKeyId(token)).toBe('k')
      expect(verify(token, secret)).toEqual(claims)
    }
  })

  test('treats __proto__ and constructor as ordinary claims', () => {
    const token = signToken({ alg: 'HS256', kid: 'k' }, '{"__proto__":{"admin":true},"constructor":1}')
    const verified = jwtTokens().verify(token, secret)
    expect(verified?.['admin']).toBeUndefined()
    expect(verified?.['constructor']).toBe(1)
  })

  test('does not check expiry, which is left to the caller', () => {
    const { sign, verify } = jwtTokens()
    expect(verify(sign({ exp: 1 }, 'k', secret), secret)).toEqual({ exp: 1 })
  })
})

const header = { alg: 'HS256', typ: 'JWT', kid: 'key-1' }

describe.each([
  ['alg none', `${encodePart({ ...header, alg: 'none' })}.${encodePart(claims)}.`],
  ['alg none and a valid signature', signToken({ ...header, alg: 'none' })],
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
  test('has no key id and does not verify', () => {
    const { readKeyId, verify } = jwtTokens()
    expect(readKeyId(token)).toBeUndefined()
    expect(verify(token, secret)).toBeUndefined()
  })
})

describe('a token in the cache', () => {
  const tokens = jwtTokens()
  const valid = tokens.sign(claims, 'key-1', secret)
  const [head, payload, signature] = valid.split('.') as [string, string, string]

  test('does not verify under another secret', () => {
    expect(tokens.verify(valid, secret)).toEqual(claims)
    expect(tokens.verify(valid, otherSecret)).toBeUndefined()
    expect(tokens.verify(valid, secret.subarray(1))).toBeUndefined()
    expect(tokens.verify(valid, secret)).toEqual(claims)
  })

  test('is found when the secret is an equal copy', () => {
    const cached = tokens.verify(valid, secret)
    expect(cached).toEqual(claims)
    expect(tokens.verify(valid, Uint8Array.from(secret))).toBe(cached)
  })

  test('does not verify when any character of it is changed', () => {
    expect(tokens.verify(valid, secret)).toEqual(claims)
    for (let index = 0; index < valid.length; index++) {
      const other = valid[index] === 'A' ? 'B' : 'A'
      const altered = `${valid.slice(0, index)}${other}${valid.slice(index + 1)}`
      expect(tokens.verify(altered, secret)).toBeUndefined()
    }
  })

  test('does not verify when any bit of its signature is flipped', () => {
    expect(tokens.verify(valid, secret)).toEqual(claims)
    for (let bit = 0; bit < 256; bit++) {
      const bytes = Buffer.from(signature, 'base64url')
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      expect(tokens.verify(`${head}.${payload}.${bytes.toString('base64url')}`, secret)).toBeUndefined()
    }
  })

  test('has no second encoding', () => {
    expect(tokens.verify(valid, secret)).toEqual(claims)
    const sameBits = String.fromCharCode(signature.charCodeAt(42) + 1)
    expect(Buffer.from(signature.slice(0, 42) + sameBits, 'base64url')).toEqual(
      Buffer.from(signature, 'base64url'),
    )
    const variants = [
      ...['=', '==', 'A', 'AA', ' ', '\n', '\0', '.', '%3D'].map((end) => valid + end),
      `${head}.${payload}.${signature.slice(0, 42)}${sameBits}`,
      `${head}=.${payload}.${signature}`,
      `${head}.${payload}=.${signature}`,
      ` ${valid}`,
    ]
    for (const variant of variants) {
      expect(tokens.readKeyId(variant)).toBeUndefined()
      expect(tokens.verify(variant, secret)).toBeUndefined()
    }
  })

  test('does not verify with its signature on another header or payload', () => {
    expect(tokens.verify(valid, secret)).toEqual(claims)
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

test('the cache holds ten thousand verified tokens and evicts the oldest', () => {
  const { sign, verify } = jwtTokens()
  const tokens = Array.from({ length: 10_001 }, (_, jti) => sign({ jti }, 'key-1', secret))
  const [first, second, ...others] = tokens as [string, string, ...string[]]
  const [claimsOfFirst, claimsOfSecond] = [verify(first, secret), verify(second, secret)]
  for (const token of others.slice(1)) verify(token, secret)
  expect(verify(first, secret)).toBe(claimsOfFirst)
  verify(others[0]!, secret)
  expect(verify(second, secret)).toBe(claimsOfSecond)
  expect(verify(first, secret)).toEqual(claimsOfFirst)
  expect(verify(first, secret)).not.toBe(claimsOfFirst)
})

describe('an arbitrary text', () => {
  const { readKeyId, verify } = jwtTokens()
  const part = fc.oneof(fc.base64String(), fc.string(), fc.json().map(encodePart))
  const arbitraryText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    fc
      .tuple(fc.json(), fc.json())
      .map(([h, p]) => `${encodePart(h)}.${encodePart(p)}.${randomBytes(32).toString('base64url')}`),
  )

  test('has no key id and does not verify, without an exception', () => {
    fc.assert(
      fc.property(arbitraryText, (text) => {
        expect(readKeyId(text)).toBeUndefined()
        expect(verify(text, secret)).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  test('may hold JSON nested as deeply as fits in a header', () => {
    expect(
      readKeyId(`${encodePart('['.repeat(20_000))}.${encodePart('{}')}.${'A'.repeat(43)}`),
    ).toBeUndefined()
    expect(verify(signToken(header, `${'['.repeat(20_000)}${']'.repeat(20_000)}`), secret)).toBeUndefined()
  })
})
