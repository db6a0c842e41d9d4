const MASK = 0xffff_ffff

/**
 * A hash of 128 bits in hex, of the UTF-16 units of a text. It is not cryptographic: whoever compares by it compares
 * the texts as well where a collision would matter.
 */
export function hashText(text: string): string {
  return [0x9e37_79b9, 0x85eb_ca6b, 0xc2b2_ae35, 0x27d4_eb2f]
    .map((seed) => hashWithSeed(text, seed).toString(16).padStart(8, '0'))
    .join('')
}

/** MurmurHash3 for 32 bits, with one block per UTF-16 unit. */
function hashWithSeed(text: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < text.length; index += 1) {
    const block = Math.imul(rotate(Math.imul(text.charCodeAt(index), 0xcc9e_2d51), 15), 0x1b87_3593)
    hash = (Math.imul(rotate(hash ^ block, 13), 5) + 0xe654_6b64) & MASK
  }
  hash ^= text.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
