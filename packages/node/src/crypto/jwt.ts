import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { createJWTSignatureMessage, encodeJWT, parseJWT } from '@oslojs/jwt'
import type { Tokens } from '@sales-crm/core/ports'

const MAX_CACHED_TOKENS = 10_000
/** Unpadded Base64url, with the 43 characters of an HS256 signature: each token has exactly one encoding. */
const TOKEN_FORMAT = /^[\w-]+\.[\w-]+\.[\w-]{43}$/

type Fields = Readonly<Record<string, unknown>>

interface ParsedToken {
  readonly kid: string
  readonly claims: Fields
  readonly signature: Uint8Array
  /** The signing input: the encoded header and payload. */
  readonly message: Uint8Array
}

interface VerifiedToken {
  readonly kid: string
  readonly claims: Fields
  readonly secret: Uint8Array
}

/** JWT with HS256. Caches verified tokens, because a caller sends the same token for an hour. */
export function jwtTokens(): Tokens {
  const verifiedTokens = new Map<string, VerifiedToken>()

  function cacheToken(token: string, entry: VerifiedToken): void {
    const [oldest] = verifiedTokens.keys()
    if (verifiedTokens.size >= MAX_CACHED_TOKENS && oldest !== undefined) verifiedTokens.delete(oldest)
    verifiedTokens.set(token, entry)
  }

  return {
    sign(claims, kid, secret) {
      const header = JSON.stringify({ alg: 'HS256', typ: 'JWT', kid })
      const payload = JSON.stringify(claims)
      return encodeJWT(header, payload, computeSignature(createJWTSignatureMessage(header, payload), secret))
    },
    readKeyId: (token) => (verifiedTokens.get(token) ?? parseToken(token))?.kid,
    verify(token, secret) {
      const cached = verifiedTokens.get(token)
      if (cached && isEqual(cached.secret, secret)) return cached.claims
      const parsed = parseToken(token)
      if (!parsed || !isEqual(parsed.signature, computeSignature(parsed.message, secret))) return undefined
      const { kid, claims } = parsed
      cacheToken(token, { kid, claims, secret })
      return claims
    },
  }
}

function parseToken(token: string): ParsedToken | undefined {
  if (!TOKEN_FORMAT.test(token)) return undefined
  try {
    const [header, claims, signature, message] = parseJWT(token) as [Fields, Fields, Uint8Array, Uint8Array]
    const kid = readKid(header)
    return kid === undefined || Array.isArray(claims) ? undefined : { kid, claims, signature, message }
  } catch {
    return undefined
  }
}

/** Rejects every token with `crit`, because no extension is supported. */
function readKid({ alg, typ, crit, kid }: Fields): string | undefined {
  const isSupported =
    alg === 'HS256' && (typ === undefined || typ === 'JWT' || typ === 'at+jwt') && crit === undefined
  return isSupported && typeof kid === 'string' && kid.length >= 1 && kid.length <= 64 ? kid : undefined
}

/** A key object makes the HMAC four times as fast as raw key bytes. */
function computeSignature(message: Uint8Array, secret: Uint8Array): Uint8Array {
  return createHmac('sha256', createSecretKey(secret)).update(message).digest()
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
