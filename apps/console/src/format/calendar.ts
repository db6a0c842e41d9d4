import {
  type Day,
  dayOf,
  findInstant,
  isWholeDay,
  type Month,
  monthOf,
  startOfDay,
  startOfMonth,
  wholeDay,
  zoneOffset,
} from '@sales-crm/core/browser'

export type { Day, Month }

const DAY_MS = 86_400_000

/** The days, months and clocks of the workspace, wherever the browser is. */
export class Calendar {
  readonly timeZone: string

  constructor(timeZone: string) {
    this.timeZone = timeZone
  }

  dayOf(date: Date): Day {
    return dayOf(date.toISOString(), this.timeZone)
  }

  monthOf(date: Date): Month {
    return monthOf(date.toISOString(), this.timeZone)
  }

  /** `09:30` */
  timeOf(date: Date): string {
    const at = date.getTime()
    return new Date(at + zoneOffset(at, this.timeZone)).toISOString().slice(11, 16)
  }

  startOfDay(day: Day): Date {
    return new Date(startOfDay(day, this.timeZone))
  }

  startOfMonth(month: Month): Date {
    return new Date(startOfMonth(month, this.timeZone))
  }

  /** The last millisecond of a day. */
  endOfDay(day: Day): Date {
    return instantBefore(this.startOfDay(addDays(day, 1)))
  }

  /** The date of a day without a time: its last minute, so that it is late when the day is over. */
  wholeDay(day: Day): Date {
    return new Date(wholeDay(day, this.timeZone))
  }

  hasTime(date: Date): boolean {
    return !isWholeDay(date.toISOString(), this.timeZone)
  }

  /** The date of a day and a time, which may be empty; undefined unless both are written as in date and time fields. */
  readDate(day: string, time = ''): Date | undefined {
    if (Number.isNaN(Date.parse(`${day}T${time || '00:00'}Z`))) return undefined
    return time === ''
      ? this.wholeDay(day)
      : new Date(findInstant(Date.parse(`${day}T${time}Z`), this.timeZone))
  }

  /** Days of the calendar from one date to another; negative if `to` is before. */
  daysBetween(from: Date, to: Date): number {
    return (toUtc(this.dayOf(to)) - toUtc(this.dayOf(from))) / DAY_MS
  }

  /** True if clocks here show another time than those of the workspace. */
  differsAt(date: Date): boolean {
    return -date.getTimezoneOffset() * 60_000 !== zoneOffset(date.getTime(), this.timeZone)
  }
}

export function addDays(day: Day, count: number): Day {
  return new Date(toUtc(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** The Monday after a day. */
export function nextMonday(day: Day): Day {
  return addDays(day, (8 - weekdayOf(day)) % 7 || 7)
}

/** The last day of the week, whose first day is Monday. */
export function endOfWeek(day: Day): Day {
  return addDays(day, (7 - weekdayOf(day)) % 7)
}

/** 0 for Sunday. */
function weekdayOf(day: Day): number {
  return new Date(toUtc(day)).getUTCDay()
}

function toUtc(day: Day): number {
  return Date.parse(`${day}T00:00Z`)
}

export function addMonths(month: Month, count: number): Month {
  const date = new Date(`${month}-01T00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 7)
}

/** The months from `first` to `last`, in order. */
export function listMonths(first: Month, last: Month): readonly Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month)
  return months
}

/** The last millisecond before an instant: the filters of the service include their bounds. */
export function instantBefore(date: Date): Date {
  return new Date(date.getTime() - 1)
}

/** The first and the last day of a month. */
export function daysOfMonth(month: Month): readonly [Day, Day] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return [`${month}-01`, new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)]
}
