/** Hashing of passwords, with a function that is slow on purpose. */
export interface Passwords {
  /** Returns a salted hash, with its function and parameters in the text. */
  hash(password: string): Promise<string>
  /**
   * True if the hash is that of the password.
   * @throws Error for a hash of an unknown function
   */
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
  /**
   * Encrypts a secret. The result is text for a database column.
   * @param context names what the secret belongs to: `open` requires the same
   */
  seal(secret: Uint8Array, context: string): string
  /**
   * Decrypts what `seal` returned.
   * @throws Error if it was sealed under another key or context, or was altered
   */
  open(sealed: string, context: string): Uint8Array
}

/** Signed tokens: JWT with HS256, and `kid` in the header. */
export interface Tokens {
  /**
   * Returns a signed token with these claims.
   * @param kid id of the signing key
   * @param secret the signing key
   */
  sign(claims: Readonly<Record<string, unknown>>, kid: string, secret: Uint8Array): string
  /** The `kid` of a well-formed HS256 token, without verification; undefined for any other text. */
  readKeyId(token: string): string | undefined
  /** The claims if the signature is valid. Expiry is not checked. */
  verify(token: string, secret: Uint8Array): Readonly<Record<string, unknown>> | undefined
}
