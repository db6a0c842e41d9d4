import { foldText } from './search-terms.ts'

/** A key made from a title: accents dropped, what is no letter or digit becomes an underscore. Empty when nothing is left. */
export function buildKey(title: string, max: number): string {
  return trimKey(
    foldText(title)
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, max + 1),
    max,
  )
}

/** The key to try in the `nth` place, from 1: `base`, `base_2`, `base_3`, …, never over `max` characters. */
export function buildNthKey(base: string, nth: number, max: number): string {
  if (nth === 1) return base
  const suffix = `_${nth}`
  return `${trimKey(base, max - suffix.length)}${suffix}`
}

function trimKey(key: string, max: number): string {
  return key.replace(/^_+/, '').slice(0, max).replace(/_+$/, '')
}
