import type { Clock } from '@sales-crm/core/ports'

/** The text of a moment takes longer to make than the moment to find out, and many ask in the same millisecond. */
export function systemClock(): Clock {
  let [cachedMs, cachedText] = [Number.NaN, '']
  return () => {
    const now = Date.now()
    if (now !== cachedMs) [cachedMs, cachedText] = [now, new Date(now).toISOString()]
    return cachedText
  }
}
