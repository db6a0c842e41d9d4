import type { Calendar, Day, Month } from './calendar.ts'

const DAY_MS = 86_400_000

export type DueState = 'late' | 'today' | 'later'

export function dueState(due: Date, now: Date, calendar: Calendar): DueState {
  if (due < now) return 'late'
  return calendar.daysBetween(now, due) === 0 ? 'today' : 'later'
}

/** Days since an instant, at least 0. */
export function daysSince(date: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - date.getTime()) / DAY_MS))
}

/** Dates of a language, in the time zone of the workspace. */
export class DateFormat {
  readonly #calendar: Calendar
  readonly #day: Intl.DateTimeFormat
  readonly #dayOfYear: Intl.DateTimeFormat
  readonly #plainWeekday: Intl.DateTimeFormat
  readonly #weekday: Intl.DateTimeFormat
  readonly #time: Intl.DateTimeFormat
  readonly #full: Intl.DateTimeFormat
  readonly #fullDay: Intl.DateTimeFormat
  readonly #plainDay: Intl.DateTimeFormat
  readonly #long: Intl.DateTimeFormat
  readonly #month: Intl.DateTimeFormat
  readonly #monthName: Intl.DateTimeFormat
  readonly #relative: Intl.RelativeTimeFormat

  constructor(language: string, calendar: Calendar) {
    this.#calendar = calendar
    const { timeZone } = calendar
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(language, { timeZone, ...options })
    this.#day = format({ weekday: 'short', day: 'numeric', month: 'short' })
    const ofYear = { day: 'numeric', month: 'short', year: 'numeric' } as const
    this.#dayOfYear = format(ofYear)
    this.#plainDay = format({ ...ofYear, timeZone: 'UTC' })
    this.#plainWeekday = format({
      ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
    })
    this.#weekday = format({ weekday: 'short' })
    this.#time = format({ hour: '2-digit', minute: '2-digit' })
    this.#full = format({ dateStyle: 'full', timeStyle: 'short' })
    this.#fullDay = format({ dateStyle: 'full' })
    this.#long = format({ weekday: 'long', day: 'numeric', month: 'long' })
    this.#month = format({ month: 'long', year: 'numeric', timeZone: 'UTC' })
    this.#monthName = format({ month: 'long', timeZone: 'UTC' })
    this.#relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  }

  /** `24 Nov` with its weekday in this year, and with the year otherwise. */
  day(date: Date, now: Date): string {
    const yearOf = (each: Date) => this.#calendar.dayOf(each).slice(0, -'-MM-DD'.length)
    return (yearOf(date) === yearOf(now) ? this.#day : this.#dayOfYear).format(date)
  }

  dayWithYear(date: Date): string {
    return this.#dayOfYear.format(date)
  }

  /** A day of the calendar, which has no time zone. */
  plainDay(day: Day): string {
    return this.#plainDay.format(new Date(`${day}T00:00Z`))
  }

  /** `Fri, Dec 4`. */
  plainWeekday(day: Day): string {
    return this.#plainWeekday.format(new Date(`${day}T00:00Z`))
  }

  time(date: Date): string {
    return this.#time.format(date)
  }

  /** `Fri 20 Nov, 16:42`. */
  instant(date: Date, now: Date): string {
    return `${this.day(date, now)}, ${this.time(date)}`
  }

  full(date: Date): string {
    return this.#full.format(date)
  }

  /** Without the time of a whole day. */
  fullDue(date: Date): string {
    return (this.#calendar.hasTime(date) ? this.#full : this.#fullDay).format(date)
  }

  /** `Tuesday, 24 November`. */
  long(date: Date): string {
    return this.#long.format(date)
  }

  month(month: Month): string {
    return this.#month.format(new Date(`${month}-01T00:00Z`))
  }

  /** `November`. */
  monthName(month: Month): string {
    return this.#monthName.format(new Date(`${month}-01T00:00Z`))
  }

  /** `today`, `tomorrow`, `yesterday`, `3 days ago`; a date beyond a week. */
  relativeDay(date: Date, now: Date): string {
    const days = this.#calendar.daysBetween(now, date)
    if (days < -6 || days > 6) return this.day(date, now)
    if (days > 1) return this.#weekday.format(date)
    return this.#relative.format(days, 'day')
  }

  /** `6 days ago`, and the time of today. */
  late(date: Date, now: Date): string {
    const days = this.#calendar.daysBetween(now, date)
    return days === 0 ? this.time(date) : this.#relative.format(days, 'day')
  }

  /** The day, and its time if it has one: `tomorrow, 10:00`. */
  due(date: Date, now: Date): string {
    const day = this.relativeDay(date, now)
    if (!this.#calendar.hasTime(date)) return day
    return this.#calendar.daysBetween(now, date) === 0 ? this.time(date) : `${day}, ${this.time(date)}`
  }
}
