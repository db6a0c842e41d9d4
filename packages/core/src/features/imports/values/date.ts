import type { Instant } from '../../../kernel/instant.ts'
import { parseInstant } from '../../../kernel/parse-instant.ts'
import { type Day, findInstant, startOfDay } from '../../../kernel/time-zone.ts'
import { toAsciiDigits } from './ascii-digits.ts'
import { type DateText, parseDateText } from './date-text.ts'

/** The order of the parts of dates in numbers. Years with four digits that come first are read in each order. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'

export interface DateFormatReading {
  readonly order: DateOrder
  /** True if the cells are different days by day and month first, and none shows which one is meant. */
  readonly isAmbiguous: boolean
}

/**
 * Finds the order of a column by the cells that are a real day in one order only, such as `31/12/2026`. If they
 * differ, most of them decide.
 */
export class DateOrderReader {
  readonly #counts = { dmy: 0, mdy: 0, ymd: 0 }
  #hasClear = false
  #hasDifferent = false

  add(cell: string): void {
    const text = parseDateText(cell)
    if (text?.form !== 'numeric') {
      this.#hasClear ||= text !== undefined
      return
    }
    const days = { dmy: writeDay(text, 'dmy'), mdy: writeDay(text, 'mdy'), ymd: writeDay(text, 'ymd') }
    for (const order of ['dmy', 'mdy', 'ymd'] as const)
      if (days[order] !== undefined) this.#counts[order] += 1
    this.#hasDifferent ||= days.dmy !== days.mdy
  }

  /** @param fallback the order of a column that does not show its own */
  read(fallback: DateOrder): DateFormatReading {
    const { dmy, mdy, ymd } = this.#counts
    if (ymd > Math.max(dmy, mdy)) return { order: 'ymd', isAmbiguous: false }
    if (dmy !== mdy) return { order: dmy > mdy ? 'dmy' : 'mdy', isAmbiguous: false }
    if (dmy === 0) return { order: this.#hasClear ? 'ymd' : fallback, isAmbiguous: this.#hasDifferent }
    return { order: fallback === 'ymd' ? 'dmy' : fallback, isAmbiguous: this.#hasDifferent }
  }
}

/** @param fallback the order of a column that does not show its own */
export function inferDateFormat(cells: Iterable<string>, fallback: DateOrder = 'dmy'): DateFormatReading {
  const reader = new DateOrderReader()
  for (const cell of cells) reader.add(cell)
  return reader.read(fallback)
}

/** The order in which a locale writes dates. */
export function findDateOrder(locale: string): DateOrder {
  const parts = new Intl.DateTimeFormat(locale, { calendar: 'gregory', timeZone: 'UTC' }).formatToParts(0)
  const order = parts.map(({ type }) => ({ day: 'd', month: 'm', year: 'y' })[type as string] ?? '').join('')
  return order === 'mdy' || order === 'ymd' ? order : 'dmy'
}

/**
 * Reads a date as its real day: `31/12/2026`, `12.31.26`, `2026-12-31`, `31 de dezembro de 2026`. A time after it is left
 * out. Of seconds or milliseconds since 1970 it is the day in UTC.
 * @returns undefined for a text in another order, or a day that does not exist
 */
export function readDate(cell: string, order: DateOrder): Day | undefined {
  const text = parseDateText(cell)
  return text ? writeDay(text, order) : readEpoch(cell)?.split('T')[0]
}

/**
 * Reads a date and its time. A time without an offset, or a day without a time, which is its first instant, is in the
 * time zone.
 * @returns undefined where `readDate` returns it, and for a time that no clock shows
 */
export function readInstant(cell: string, order: DateOrder, timeZone: string): Instant | undefined {
  const text = parseDateText(cell)
  if (!text) return readEpoch(cell)
  const day = writeDay(text, order)
  if (day === undefined) return undefined
  if (!text.time) return startOfDay(day, timeZone)
  const { milliseconds, offsetMinutes } = text.time
  const local = Date.parse(`${day}T00:00:00.000Z`) + milliseconds
  return writeInstant(
    offsetMinutes === undefined ? findInstant(local, timeZone) : local - offsetMinutes * 60_000,
  )
}

/** True for a date with a time of day. */
export function hasTime(cell: string): boolean {
  return parseDateText(cell)?.time !== undefined
}

function writeDay({ form, parts: [first, second, third] }: DateText, order: DateOrder): Day | undefined {
  if (form === 'clear' || order === 'ymd') return toDay(first, second, third)
  return order === 'dmy' ? toDay(third, second, first) : toDay(third, first, second)
}

/** Two digits from 69 are years of the last century, as in POSIX. */
function toDay(year: string, month: string, day: string): Day | undefined {
  if (year.length !== 4 && year.length !== 2) return undefined
  const century = year.length === 4 ? '' : Number(year) >= 69 ? '19' : '20'
  const written = `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return parseInstant(`${written}T00:00:00Z`) === undefined ? undefined : written
}

/** Seconds have nine or ten digits, milliseconds twelve or thirteen: from 1973 to 2286. */
function readEpoch(cell: string): Instant | undefined {
  const digits = toAsciiDigits(cell.trim())
  if (/^\d{12,13}$/.test(digits)) return writeInstant(Number(digits))
  return /^\d{9,10}$/.test(digits) ? writeInstant(Number(digits) * 1000) : undefined
}

function writeInstant(milliseconds: number): Instant | undefined {
  return parseInstant(new Date(milliseconds).toISOString())
}
