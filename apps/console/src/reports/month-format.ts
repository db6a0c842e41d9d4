import type { Month } from '../format/calendar.ts'

/** Months in words of a language. */
export class MonthFormat {
  readonly #short: Intl.DateTimeFormat
  readonly #shortOfYear: Intl.DateTimeFormat

  constructor(language: string) {
    this.#short = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
    this.#shortOfYear = new Intl.DateTimeFormat(language, {
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
  }

  /** `Nov`. */
  short(month: Month): string {
    return this.#short.format(utcStart(month))
  }

  /** `Nov 2026`. */
  withYear(month: Month): string {
    return this.#shortOfYear.format(utcStart(month))
  }

  /** `Jun – Nov 2026`. */
  range(first: Month, last: Month): string {
    return this.#shortOfYear.formatRange(utcStart(first), utcStart(last))
  }
}

function utcStart(month: Month): Date {
  return new Date(`${month}-01T00:00Z`)
}
