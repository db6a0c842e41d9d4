/** ISO 8601 UTC with milliseconds (`2026-03-01T12:00:00.000Z`): instants sort as strings. */
export type Instant = string

/** No instant is earlier. */
export const FIRST_INSTANT: Instant = '0001-01-01T00:00:00.000Z'

/** In seconds. */
export const MINUTE = 60
export const HOUR = 3600
export const DAY = 86_400

export function addSeconds(at: Instant, seconds: number): Instant {
  return new Date(Date.parse(at) + seconds * 1000).toISOString()
}
