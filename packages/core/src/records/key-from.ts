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

/** The key to try in the `nth` place, from 1: `base`, `base_2`, `base_3`, …, never over `max` characters. */
export function nthKey(base: string, nth: number, max: number): string {
  if (nth === 1) return base
  const suffix = `_${nth}`
  return `${trimmed(base, max - suffix.length)}${suffix}`
}

function trimmed(key: string, max: number): string {
  return key.replace(/^_+/, '').slice(0, max).replace(/_+$/, '')
}
