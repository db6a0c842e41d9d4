import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { secrets } from '../../../../test/harness.ts'
import { CHALLENGE, VERIFIER } from '../../../../test/oauth-harness.ts'
import { computeCodeChallenge, isCodeChallenge, isCodeVerifier, verifyCodeChallenge } from './pkce.ts'

const UNRESERVED = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~']
const verifiers = fc.string({ unit: fc.constantFrom(...UNRESERVED), minLength: 43, maxLength: 128 })

test('the challenge of a verifier is its SHA-256 in Base64url', () => {
  expect(computeCodeChallenge(secrets, VERIFIER)).toBe(CHALLENGE)
  fc.assert(
    fc.property(verifiers, (verifier) => {
      const challenge = computeCodeChallenge(secrets, verifier)
      expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'))
      expect([isCodeVerifier(verifier), isCodeChallenge(challenge)]).toEqual([true, true])
    }),
  )
})

test('a verifier proves its own challenge and no other', () => {
  fc.assert(
    fc.property(verifiers, verifiers, (one, other) => {
      expect(verifyCodeChallenge(secrets, one, computeCodeChallenge(secrets, other))).toBe(one === other)
    }),
  )
})

test.each([
  [VERIFIER, CHALLENGE, true],
  [VERIFIER, CHALLENGE.toLowerCase(), false],
  [VERIFIER, VERIFIER, false],
  [CHALLENGE, CHALLENGE, false],
  [undefined, CHALLENGE, false],
  [VERIFIER, null, false],
  [undefined, null, true],
])('a verifier %s for a challenge %s: %s', (verifier, challenge, expected) => {
  expect(verifyCodeChallenge(secrets, verifier, challenge)).toBe(expected)
})

describe('the forms', () => {
  test.each(['x'.repeat(43), 'x'.repeat(128), '-._~0aA'.padEnd(43, '~')])('%s is a verifier', (text) => {
    expect(isCodeVerifier(text)).toBe(true)
  })

  test.each([
    '',
    'x'.repeat(42),
    'x'.repeat(129),
    `${'x'.repeat(43)}\n`,
    `${'x'.repeat(43)}+`,
    `${'x'.repeat(43)} `,
    'é'.repeat(43),
  ])('%j is none', (text) => {
    expect(isCodeVerifier(text)).toBe(false)
  })

  test.each([
    '',
    'x'.repeat(42),
    'x'.repeat(44),
    `${'x'.repeat(42)}=`,
    `${'x'.repeat(42)}.`,
    `${'x'.repeat(43)}\n`,
  ])('%j is no challenge', (text) => {
    expect(isCodeChallenge(text)).toBe(false)
  })
})
