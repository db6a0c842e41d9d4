/** Crockford's base32. */
export const CODE_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `letter`, a hyphen, and seven random Crockford base32 characters: `P-7ZK04QX`. */
export function generateEntityCode(prefix: string, random: (bytes: number) => Uint8Array): string {
  return `${prefix}-${randomBase32(7, random)}`
}

/** Five random bits per character. */
export function randomBase32(length: number, random: (bytes: number) => Uint8Array): string {
  return Array.from(random(length), (byte) => CODE_CHARACTERS[byte % 32]).join('')
}
