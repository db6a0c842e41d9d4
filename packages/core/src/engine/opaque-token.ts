import { randomHex } from '../kernel/random-hex.ts'
import type { Random } from '../ports/clock.ts'

/**
 * A text that names records and proves a right to them: their ids, and 256 random bits. Whoever is handed one finds the record by
 * its key, and compares a hash of the whole.
 */
export function createOpaqueToken(prefix: string, ids: readonly string[], random: Random): string {
  return `${prefix}${ids.map((id) => id.replaceAll('-', '')).join('')}${randomHex(random)}`
}

const ID = '([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})'

/** The ids that a text of the form `newHandle` gives names; `undefined` for any other text. */
export function parseOpaqueToken(prefix: string, count: number, text: string): readonly string[] | undefined {
  if (!text.startsWith(prefix)) return undefined
  const parts = new RegExp(`^${ID.repeat(count)}[0-9a-f]{64}$`).exec(text.slice(prefix.length))?.slice(1)
  return parts && Array.from({ length: count }, (_, index) => parts.slice(index * 5, index * 5 + 5).join('-'))
}
