import { folded } from './words.ts'

/** A key made from a title: accents dropped, what is no letter or digit becomes an underscore. Empty when nothing is left. */
export function keyFrom(title: string, max: number): string {
  return trimmed(
    folded(title)
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, max + 1),
    max,
  )
}

/** `base`, or where that is taken `base_2`, `base_3`, …, never over `max` characters. */
export function freeKey(base: string, taken: ReadonlySet<string>, max: number): string {
  if (!taken.has(base)) return base
  for (let count = 2; ; count += 1) {
    const suffix = `_${count}`
    const candidate = `${trimmed(base, max - suffix.length)}${suffix}`
    if (!taken.has(candidate)) return candidate
  }
}

function trimmed(key: string, max: number): string {
  return key.replace(/^_+/, '').slice(0, max).replace(/_+$/, '')
}
