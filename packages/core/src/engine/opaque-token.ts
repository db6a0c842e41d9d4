import { randomHex } from '../kernel/random-hex.ts'
import type { Random } from '../ports/clock.ts'

/**
 * A token that contains the ids of its records and 256 random bits. The record is found by its id; a hash of
 * the token is compared.
 */
export function createOpaqueToken(prefix: string, ids: readonly string[], random: Random): string {
  return `${prefix}${ids.map((id) => id.replaceAll('-', '')).join('')}${randomHex(random)}`
}

const ID = '([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})'

/** The ids in a token made by `createOpaqueToken`; undefined for any other text. */
export function parseOpaqueToken(prefix: string, count: number, text: string): readonly string[] | undefined {
  if (!text.startsWith(prefix)) return undefined
  const parts = new RegExp(`^${ID.repeat(count)}[0-9a-f]{64}$`).exec(text.slice(prefix.length))?.slice(1)
  return parts && Array.from({ length: count }, (_, index) => parts.slice(index * 5, index * 5 + 5).join('-'))
}
