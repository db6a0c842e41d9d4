import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from '@oslojs/encoding'
import type { Secrets } from '@sales-crm/core/ports'
import { SECRET_KEY_BYTES } from './secret-key.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Unpadded Base64url: each sealed secret has exactly one encoding. */
const SEALED = /^v1:([\w-]+)$/

/**
 * Seals with AES-256-GCM. The context is authenticated but not stored.
 * @param key the service's secret key, 32 bytes
 * @param previousKey opens what `key` does not, and seals nothing
 */
export function secrets(key: Uint8Array, previousKey?: Uint8Array): Secrets {
  const sealingKey = deriveSealingKey(key)
  const openingKeys = [sealingKey, ...(previousKey ? [deriveSealingKey(previousKey)] : [])]

  return {
    hash: (secret) => hash('sha256', secret),
    sign: (text, key) => createHmac('sha256', key).update(text).digest('hex'),
    matches(secret, expectedHash) {
      const [a, b] = [Buffer.from(hash('sha256', secret)), Buffer.from(expectedHash)]
      return a.length === b.length && timingSafeEqual(a, b)
    },
    seal(secret, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, sealingKey, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(context),
      )
      const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
      return `v1:${encodeBase64urlNoPadding(sealed)}`
    },
    open(sealed, context) {
      for (const key of openingKeys) {
        const secret = decrypt(sealed, context, key)
        if (secret) return secret
      }
      throw new Error(
        `Cannot open the ${context}: the secret key is not the one it was sealed under, ` +
          'or the sealed text was altered. ' +
          'Start with the SECRET_KEY, or the secret.key file, that was in use before.',
      )
    },
  }
}

function deriveSealingKey(key: Uint8Array): KeyObject {
  if (key.length !== SECRET_KEY_BYTES)
    throw new Error(`The secret key must be ${SECRET_KEY_BYTES} bytes long.`)
  return createSecretKey(new Uint8Array(hkdfSync('sha256', key, '', 'sales-crm: sealing secrets, v1', 32)))
}

/** Returns undefined for another key or context, and for an altered text. */
function decrypt(sealed: string, context: string, sealingKey: KeyObject): Uint8Array | undefined {
  try {
    const bytes = decodeBase64urlIgnorePadding(SEALED.exec(sealed)?.[1] ?? '')
    const decipher = createDecipheriv(CIPHER, sealingKey, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return new Uint8Array(
      Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]),
    )
  } catch {
    return undefined
  }
}
