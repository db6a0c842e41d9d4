import { encodeHex } from './hex.ts'

/** 256 bits in hex. */
export function randomHex(random: (bytes: number) => Uint8Array): string {
  return encodeHex(random(32))
}
