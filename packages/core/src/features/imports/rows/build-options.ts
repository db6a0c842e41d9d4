import { buildKey, buildNthKey } from '../../../engine/key-from-title.ts'
import type { SelectOption } from '../../../schema/custom-field.ts'

const MAX_KEY_LENGTH = 60

/** Options with a key each, from their names. */
export function buildOptions(names: readonly string[]): readonly SelectOption[] {
  const keys = new Set<string>()
  return names.map((option) => {
    const base = buildKey(option, MAX_KEY_LENGTH) || 'option'
    let nth = 1
    while (keys.has(buildNthKey(base, nth, MAX_KEY_LENGTH))) nth += 1
    const key = buildNthKey(base, nth, MAX_KEY_LENGTH)
    keys.add(key)
    return { key, option }
  })
}
