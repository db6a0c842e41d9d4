import { FIRST_INSTANT, type Instant } from '../../kernel/instant.ts'
import { parseInstant } from '../../kernel/parse-instant.ts'
import { type Day, dayOf, startOfDay } from '../../kernel/time-zone.ts'

/** Bounds that a value must keep, both inclusive. */
export interface Bounds {
  readonly from?: string
  readonly to?: string
}

/** When a filter is evaluated, and where. */
export interface Moment {
  readonly now: Instant
  readonly timeZone: string
}

/** Words for days, by their distance from today. */
const RELATIVE_DAYS = { yesterday: -1, today: 0, tomorrow: 1 } as const

const DAY = /^\d{4}-\d{2}-\d{2}$/
const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999Z'
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'] as const

/** A day, or `today`, `yesterday` or `tomorrow` in the time zone. */
export function parseDay(value: unknown, { now, timeZone }: Moment): Day | undefined {
  if (typeof value !== 'string') return undefined
  if (Object.hasOwn(RELATIVE_DAYS, value))
    return addDays(dayOf(now, timeZone), RELATIVE_DAYS[value as keyof typeof RELATIVE_DAYS])
  return DAY.test(value) && parseInstant(`${value}T00:00:00Z`) !== undefined ? value : undefined
}

/** Instants of a day in the time zone, or one that is written as a date-time. */
export function parseTime(value: unknown, moment: Moment): Required<Bounds> | undefined {
  const day = parseDay(value, moment)
  if (day !== undefined) return boundsOfDays(day, day, moment.timeZone)
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  return at === undefined ? undefined : { from: at, to: at }
}

/** The instants of days, from the first one's start to the last one's end. */
export function boundsOfDays(first: Day, last: Day, timeZone: string): Required<Bounds> {
  const end = last === LAST_DAY ? LAST_INSTANT : shift(startOfDay(addDays(last, 1), timeZone), -1)
  return { from: startOfDay(first, timeZone), to: end }
}

export function addDays(day: Day, count: number): Day {
  const at = new Date(`${day}T00:00:00.000Z`)
  at.setUTCDate(at.getUTCDate() + count)
  if (at.getTime() < Date.parse(FIRST_INSTANT)) return FIRST_DAY
  return at.getTime() > Date.parse(LAST_INSTANT) ? LAST_DAY : at.toISOString().slice(0, FIRST_DAY.length)
}

/** What is before or after the bounds; undefined if nothing can be. */
export function beforeTime({ from }: Required<Bounds>): Bounds | undefined {
  return from <= FIRST_INSTANT ? undefined : { to: shift(from, -1) }
}

export function afterTime({ to }: Required<Bounds>): Bounds | undefined {
  return to >= LAST_INSTANT ? undefined : { from: shift(to, 1) }
}

export function beforeDay(day: Day): Bounds | undefined {
  return day === FIRST_DAY ? undefined : { to: addDays(day, -1) }
}

export function afterDay(day: Day): Bounds | undefined {
  return day === LAST_DAY ? undefined : { from: addDays(day, 1) }
}

function shift(at: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(at) + milliseconds).toISOString()
}
