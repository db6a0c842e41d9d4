const DAY_MS = 86_400_000

/**
 * A due date without a time is the last minute of its day, in the time zone of the browser: it is late when the day
 * is over.
 */
export function endOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 23, 59)
}

export function hasTime(date: Date): boolean {
  return !(date.getHours() === 23 && date.getMinutes() === 59)
}

export function addDays(date: Date, days: number): Date {
  const moved = new Date(date)
  moved.setDate(moved.getDate() + days)
  return moved
}

export function startOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate())
}

/** Whole days of the calendar between two instants; negative if `date` is before `now`. */
export function calendarDays(date: Date, now: Date): number {
  return Math.round((startOfDay(date).getTime() - startOfDay(now).getTime()) / DAY_MS)
}

export function startOfMonth(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), 1)
}

/** The Monday after `now`. */
export function nextMonday(now: Date): Date {
  return addDays(startOfDay(now), ((8 - now.getDay()) % 7 || 7) as number)
}

/** The last day of the week of `now`, whose first day is Monday. */
export function endOfWeek(now: Date): Date {
  return endOfDay(addDays(now, (7 - now.getDay()) % 7))
}

/** `2026-11-26` in the time zone of the browser. */
export function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `09:30` in the time zone of the browser. */
export function localTime(date: Date): string {
  return date.toTimeString().slice(0, 5)
}

export type DueState = 'late' | 'today' | 'later'

export function dueState(due: Date, now: Date): DueState {
  if (due < now) return 'late'
  return calendarDays(due, now) === 0 ? 'today' : 'later'
}

/** Days since an instant, at least 0. */
export function daysSince(date: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - date.getTime()) / DAY_MS))
}

/** Dates of a language, in the time zone of the browser. */
export class DateFormat {
  readonly #day: Intl.DateTimeFormat
  readonly #dayOfYear: Intl.DateTimeFormat
  readonly #weekday: Intl.DateTimeFormat
  readonly #time: Intl.DateTimeFormat
  readonly #full: Intl.DateTimeFormat
  readonly #long: Intl.DateTimeFormat
  readonly #month: Intl.DateTimeFormat
  readonly #monthName: Intl.DateTimeFormat
  readonly #relative: Intl.RelativeTimeFormat

  constructor(language: string) {
    const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options)
    this.#day = format({ weekday: 'short', day: 'numeric', month: 'short' })
    this.#dayOfYear = format({ day: 'numeric', month: 'short', year: 'numeric' })
    this.#weekday = format({ weekday: 'short' })
    this.#time = format({ hour: '2-digit', minute: '2-digit' })
    this.#full = format({ dateStyle: 'full', timeStyle: 'short' })
    this.#long = format({ weekday: 'long', day: 'numeric', month: 'long' })
    this.#month = format({ month: 'long', year: 'numeric' })
    this.#monthName = format({ month: 'long' })
    this.#relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  }

  /** `24 Nov` with its weekday in this year, and with the year otherwise. */
  day(date: Date, now: Date): string {
    return (date.getFullYear() === now.getFullYear() ? this.#day : this.#dayOfYear).format(date)
  }

  dayWithYear(date: Date): string {
    return this.#dayOfYear.format(date)
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

  /** `Tuesday, 24 November`. */
  long(date: Date): string {
    return this.#long.format(date)
  }

  month(date: Date): string {
    return this.#month.format(date)
  }

  /** `November`. */
  monthName(date: Date): string {
    return this.#monthName.format(date)
  }

  /** `today`, `tomorrow`, `yesterday`, `3 days ago`; a date beyond a week. */
  relativeDay(date: Date, now: Date): string {
    const days = calendarDays(date, now)
    if (days < -6 || days > 6) return this.day(date, now)
    if (days > 1) return this.#weekday.format(date)
    return this.#relative.format(days, 'day')
  }

  /** `6 days ago`, and the time of today. */
  late(date: Date, now: Date): string {
    const days = calendarDays(date, now)
    return days === 0 ? this.time(date) : this.#relative.format(days, 'day')
  }

  /** The day, and its time if it has one: `tomorrow, 10:00`. */
  due(date: Date, now: Date): string {
    const day = this.relativeDay(date, now)
    if (!hasTime(date)) return day
    return calendarDays(date, now) === 0 ? this.time(date) : `${day}, ${this.time(date)}`
  }
}
