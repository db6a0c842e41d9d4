const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `letter`, a hyphen, and seven random Crockford base32 characters: `P-7ZK04QX`. */
export function generateEntityCode(prefix: string, random: (bytes: number) => Uint8Array): string {
  return `${prefix}-${randomBase32(7, random)}`
}

/** Each character is worth five random bits. */
export function randomBase32(length: number, random: (bytes: number) => Uint8Array): string {
  return Array.from(random(length), (byte) => CROCKFORD[byte % 32]).join('')
}
