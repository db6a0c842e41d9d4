import type { Instant } from './instant.ts'

/** A day of the calendar, `2026-03-01`. */
export type Day = string
/** A month of the calendar, `2026-03`. */
export type Month = string

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** One for each zone: a format takes longer to make than to use. */
const FORMATS = new Map<string, Intl.DateTimeFormat>()
/** As many as there are zones with their aliases. A zone can be written in any case, so their number has no bound. */
const MAX_FORMATS = 600

/** The offset of a zone from UTC at an instant, in milliseconds; positive east of Greenwich. */
export function zoneOffset(at: number, timeZone: string): number {
  let format = FORMATS.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    if (FORMATS.size === MAX_FORMATS) FORMATS.clear()
    FORMATS.set(timeZone, format)
  }
  // Ends with `GMT-03:00`, or `GMT-03:06:28` in former times.
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(format.format(at)) ?? []
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

/** The day of an instant in a time zone. */
export function dayOf(at: Instant, timeZone: string): Day {
  const instant = Date.parse(at)
  return new Date(instant + zoneOffset(instant, timeZone)).toISOString().split('T')[0]!
}

/** The month of an instant in a time zone. */
export function monthOf(at: Instant, timeZone: string): Month {
  return dayOf(at, timeZone).slice(0, -'-DD'.length)
}

/** The first instant of a day in a time zone; where clocks go forward at midnight, that of the change. */
export function startOfDay(day: Day, timeZone: string): Instant {
  return toInstant(findInstant(Date.parse(`${day}T00:00:00.000Z`), timeZone))
}

/** The first instant of a month in a time zone. */
export function startOfMonth(month: Month, timeZone: string): Instant {
  return startOfDay(`${month}-01`, timeZone)
}

/** The month after another one. */
export function nextMonth(month: Month): Month {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const next = year * 12 + number
  return `${String(Math.floor(next / 12)).padStart(4, '0')}-${String((next % 12) + 1).padStart(2, '0')}`
}

/**
 * The due date of a whole day: 23:59:00.000 in the time zone. Where clocks go forward before midnight, as in Nuuk, the
 * last minute before that.
 */
export function wholeDay(day: Day, timeZone: string): Instant {
  const at = findInstant(Date.parse(`${day}T23:59:00.000Z`), timeZone)
  return toInstant(dayOf(toInstant(at), timeZone) > day ? at - MINUTE_MS : at)
}

/** True if the instant is what `wholeDay` returns for its day. */
export function isWholeDay(at: Instant, timeZone: string): boolean {
  return wholeDay(dayOf(at, timeZone), timeZone) === at
}

/**
 * The instant at which clocks of the zone show a time: the earlier one if they show it twice, and that of the change
 * if they skip it.
 * @param local the time as if it were UTC, in milliseconds
 */
export function findInstant(local: number, timeZone: string): number {
  const [before, after] = [local - DAY_MS, local + DAY_MS].map((at) => zoneOffset(at, timeZone)) as [
    number,
    number,
  ]
  for (const offset of [before, after])
    if (zoneOffset(local - offset, timeZone) === offset) return local - offset
  return findChange(local - Math.max(before, after), local - Math.min(before, after), timeZone)
}

/** The instant between two others from which the second one's offset holds. */
function findChange(from: number, to: number, timeZone: string): number {
  const offset = zoneOffset(to, timeZone)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zoneOffset(middle, timeZone) === offset) high = middle
    else low = middle
  }
  return high
}

function toInstant(at: number): Instant {
  return new Date(at).toISOString()
}
