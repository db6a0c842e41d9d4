export interface Passwords {
  hash(password: string): Promise<string>
  /** @throws Error when `hash` was not made by a function known here */
  verify(password: string, hash: string): Promise<boolean>
}

/** Secrets that nobody need read again are hashed; those the service must use again are sealed under its own key. */
export interface Secrets {
  /** SHA-256 in hex: for values that are random already. */
  hash(secret: string): string
  /** HMAC-SHA256 of a text's UTF-8, in hex. The key is the UTF-8 of `key`. */
  sign(text: string, key: string): string
  /** Whether `hash` is the secret's, found out in a time that tells nothing. */
  matches(secret: string, hash: string): boolean
  /** @param context what the secret belongs to; it opens only for the same. */
  seal(secret: Uint8Array, context: string): string
  /** @throws Error when the text was sealed under another key or context, or was altered. */
  open(sealed: string, context: string): Uint8Array
}

/** Signed tokens: JWT with HS256, and `kid` in the header. */
export interface Tokens {
  sign(claims: Readonly<Record<string, unknown>>, kid: string, secret: Uint8Array): string
  /** The `kid` of a well-formed HS256 token; `undefined` for anything else. Nothing is verified. */
  readKeyId(token: string): string | undefined
  /** The claims, when the signature is right. Expiry is not judged. */
  verify(token: string, secret: Uint8Array): Readonly<Record<string, unknown>> | undefined
}
