type Bytes = Uint8Array<ArrayBuffer>

const SHA256_BYTES = 32
/** Lower case only, as the service sends it: each signature has exactly one encoding. */
const SIGNATURE = new RegExp(`^sha256=([0-9a-f]{${2 * SHA256_BYTES}})$`)
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** Decodes a `Webhook-Signature` header. Returns undefined if it is missing or malformed. */
export function parseSignature(header: string | null): Bytes | undefined {
  const hex = SIGNATURE.exec(header ?? '')?.[1]
  if (hex === undefined) return undefined
  return Uint8Array.from({ length: SHA256_BYTES }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  )
}

/** Returns a function that resolves with true if one of the secrets made the signature of the body. */
export function createVerifier(
  secrets: readonly string[],
): (signature: Bytes, body: Bytes) => Promise<boolean> {
  // Imported at the first request: some runtimes allow no asynchronous work at start.
  let keys: Promise<readonly CryptoKey[]> | undefined
  return async (signature, body) => {
    keys ??= Promise.all(secrets.map(importKey))
    // All keys are tried, so that the time does not tell which one matched.
    const results = await Promise.all(
      (await keys).map((key) => crypto.subtle.verify(HMAC, key, signature, body)),
    )
    return results.includes(true)
  }
}

/** The key is the whole secret, including its prefix. */
function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), HMAC, false, ['verify'])
}
