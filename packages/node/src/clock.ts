import type { Clock } from '@sales-crm/core/ports'

/**
 * Caches the text of the current millisecond: formatting an instant takes longer than reading the clock, and
 * many calls fall into the same millisecond.
 */
export function systemClock(): Clock {
  let [cachedMs, cachedText] = [Number.NaN, '']
  return () => {
    const now = Date.now()
    if (now !== cachedMs) [cachedMs, cachedText] = [now, new Date(now).toISOString()]
    return cachedText
  }
}
