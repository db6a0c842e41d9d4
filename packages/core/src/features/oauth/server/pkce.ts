import type { Secrets } from '../../../ports/crypto.ts'

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text)
}

export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text)
}

/**
 * Returns whether the verifier matches the challenge (S256). Without a challenge, any verifier is rejected.
 * Without either, the result is true.
 */
export function verifyCodeChallenge(
  secrets: Secrets,
  verifier: string | undefined,
  challenge: string | null,
): boolean {
  if (verifier === undefined || challenge === null) return verifier === undefined && challenge === null
  return secrets.matches(computeCodeChallenge(secrets, verifier), secrets.hash(challenge))
}

export function computeCodeChallenge({ hash }: Pick<Secrets, 'hash'>, verifier: string): string {
  const bits = Array.from(hash(verifier), (digit) =>
    Number.parseInt(digit, 16).toString(2).padStart(4, '0'),
  ).join('')
  return (bits.match(/.{1,6}/g) ?? [])
    .map((six) => BASE64URL[Number.parseInt(six.padEnd(6, '0'), 2)])
    .join('')
}
