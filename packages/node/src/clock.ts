import type { Clock } from '@sales-crm/core/ports'

/** The text of a moment takes longer to make than the moment to find out, and many ask in the same millisecond. */
export function systemClock(): Clock {
  let [at, text] = [Number.NaN, '']
  return () => {
    const now = Date.now()
    if (now !== at) [at, text] = [now, new Date(now).toISOString()]
    return text
  }
}
