/** 256 bits in hex. */
export function randomHex(random: (bytes: number) => Uint8Array): string {
  return Array.from(random(32), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
