import type { Instant } from '../ports/index.ts'

/** In seconds. */
export const MINUTE = 60
export const HOUR = 3600
export const DAY = 86_400

export function addSeconds(at: Instant, seconds: number): Instant {
  return new Date(Date.parse(at) + seconds * 1000).toISOString()
}
