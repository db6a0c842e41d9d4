// A named import that an older Node.js lacks would fail before it can be told.
import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { decodeBase64IgnorePadding, encodeBase64NoPadding } from '@oslojs/encoding'
import type { Passwords } from '@sales-crm/core/ports'
import { isCommonPassword } from './common-passwords.ts'

/** OWASP's minimum for Argon2id: 19 MiB, two passes, parallelism 1. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/

const derive = promisify(crypto.argon2)

/** Argon2id hashes as PHC strings, verified with the cost stored in them. Runs on the thread pool. */
export const passwords: Passwords = {
  async hash(password) {
    const salt = crypto.randomBytes(SALT_BYTES)
    const { memory, passes, parallelism } = COST
    const tag = await derive('argon2id', {
      message: normalize(password),
      nonce: salt,
      tagLength: TAG_BYTES,
      ...COST,
    })
    const [encodedSalt, encodedTag] = [encodeBase64NoPadding(salt), encodeBase64NoPadding(tag)]
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encodedSalt}$${encodedTag}`
  },
  async verify(password, hash) {
    const { tag, ...parameters } = parsePhc(hash)
    return crypto.timingSafeEqual(
      await derive('argon2id', { message: normalize(password), ...parameters }),
      tag,
    )
  },
  isCommon: isCommonPassword,
}

/** Applies NFKC, because keyboards differ: `é` is one code point on some and two on others. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

function parsePhc(hash: string): Omit<crypto.Argon2Parameters, 'message'> & { readonly tag: Uint8Array } {
  const [, memory, passes, parallelism, salt, encodedTag] = PHC.exec(hash) ?? []
  if (salt === undefined || encodedTag === undefined)
    throw new Error('The stored password hash is no Argon2id PHC string.')
  const tag = decodeBase64IgnorePadding(encodedTag)
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: decodeBase64IgnorePadding(salt),
    tagLength: tag.length,
    tag,
  }
}
