export interface Passwords {
  hash(password: string): Promise<string>
  /** @throws Error for a hash of an unknown function */
  verify(password: string, hash: string): Promise<boolean>
  /** True for at least the ten thousand most common passwords, in upper or lower case. */
  isCommon(password: string): Promise<boolean>
}

/**
 * Hashing for secrets that are only compared; sealing, under the service's own key, for secrets that are used
 * again.
 */
export interface Secrets {
  /** SHA-256 in hex. Only for random values. */
  hash(secret: string): string
  /** HMAC-SHA256 in hex, of the UTF-8 of text and key. */
  sign(text: string, key: string): string
  /** Compares in constant time. */
  matches(secret: string, hash: string): boolean
  /** @param context names what the secret belongs to: `open` requires the same */
  seal(secret: Uint8Array, context: string): string
  /** @throws Error if it was sealed under another key or context, or was altered */
  open(sealed: string, context: string): Uint8Array
}

/** Signed tokens: JWT with HS256, and `kid` in the header. */
export interface Tokens {
  sign(claims: Readonly<Record<string, unknown>>, kid: string, secret: Uint8Array): string
  /** The `kid` of a well-formed HS256 token, without verification; undefined for any other text. */
  readKeyId(token: string): string | undefined
  /** The claims if the signature is valid. Expiry is not checked. */
  verify(token: string, secret: Uint8Array): Readonly<Record<string, unknown>> | undefined
}
