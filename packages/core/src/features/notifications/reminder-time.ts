import type { Instant } from '../../kernel/instant.ts'
import { dayOf, findInstant } from '../../kernel/time-zone.ts'

const DAY_MS = 86_400_000
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** True for a time of day, `00:00` to `23:59`. */
export function isTimeOfDay(text: string): boolean {
  return TIME.test(text)
}

/**
 * The next instant after `at` at which clocks of the zone show the time. A time that clocks skip is that of the change, and
 * of one that they show twice the first: each day has one.
 * @param time `HH:MM`
 */
export function findNextReminder(at: Instant, time: string, timeZone: string): Instant {
  const today = Date.parse(`${dayOf(at, timeZone)}T${time}:00.000Z`)
  const [first, second] = [today, today + DAY_MS].map((local) => new Date(findInstant(local, timeZone)))
  return (first!.toISOString() > at ? first! : second!).toISOString()
}
