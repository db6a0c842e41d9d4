import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { secrets } from '../../../../test/harness.ts'
import { CHALLENGE, VERIFIER } from '../../../../test/oauth-harness.ts'
import { computeCodeChallenge, isCodeChallenge, isCodeVerifier, verifyCodeChallenge } from './pkce.ts'

const UNRESERVED = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~']
const verifiers = fc.string({ unit: fc.constantFrom(...UNRESERVED), minLength: 43, maxLength: 128 })

test('computeCodeChallenge returns the SHA-256 of the verifier in Base64url', () => {
  expect(computeCodeChallenge(secrets, VERIFIER)).toBe(CHALLENGE)
  fc.assert(
    fc.property(verifiers, (verifier) => {
      const challenge = computeCodeChallenge(secrets, verifier)
      expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'))
      expect([isCodeVerifier(verifier), isCodeChallenge(challenge)]).toEqual([true, true])
    }),
  )
})

test('verifyCodeChallenge accepts the challenge of the verifier only', () => {
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
])('the verifier %s against the challenge %s returns %s', (verifier, challenge, expected) => {
  expect(verifyCodeChallenge(secrets, verifier, challenge)).toBe(expected)
})

describe('the format check', () => {
  test.each(['x'.repeat(43), 'x'.repeat(128), '-._~0aA'.padEnd(43, '~')])(
    'accepts the verifier %s',
    (text) => {
      expect(isCodeVerifier(text)).toBe(true)
    },
  )

  test.each([
    '',
    'x'.repeat(42),
    'x'.repeat(129),
    `${'x'.repeat(43)}\n`,
    `${'x'.repeat(43)}+`,
    `${'x'.repeat(43)} `,
    'é'.repeat(43),
  ])('rejects the verifier %j', (text) => {
    expect(isCodeVerifier(text)).toBe(false)
  })

  test.each([
    '',
    'x'.repeat(42),
    'x'.repeat(44),
    `${'x'.repeat(42)}=`,
    `${'x'.repeat(42)}.`,
    `${'x'.repeat(43)}\n`,
  ])('rejects the challenge %j', (text) => {
    expect(isCodeChallenge(text)).toBe(false)
  })
})
