import { foldText } from '../kernel/fold-text.ts'

/**
 * Derives a key from a title: accents are dropped, other characters become underscores. Empty if no letter or
 * digit is left.
 */
export function buildKey(title: string, max: number): string {
  return trimKey(
    foldText(title)
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, max + 1),
    max,
  )
}

/** The nth candidate, from 1: `base`, `base_2`, `base_3`, …, at most `max` characters. */
export function buildNthKey(base: string, nth: number, max: number): string {
  if (nth === 1) return base
  const suffix = `_${nth}`
  return `${trimKey(base, max - suffix.length)}${suffix}`
}

function trimKey(key: string, max: number): string {
  return key.replace(/^_+/, '').slice(0, max).replace(/_+$/, '')
}
