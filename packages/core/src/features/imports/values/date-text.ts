import { foldText, removeInvisible } from '../../../kernel/fold-text.ts'
import { toAsciiDigits } from './ascii-digits.ts'
import { findMonth } from './month-names.ts'
import { parseTime, type TimeText } from './time-text.ts'

/** The parts of a date as they are written. A year has two digits or four. */
export interface DateText {
  /** `numeric` if the order of day and month is not shown by the text itself. */
  readonly form: 'numeric' | 'clear'
  /** Of a numeric date in the order of the text, else year, month, day. */
  readonly parts: readonly [string, string, string]
  readonly time: TimeText | undefined
}

/** No date is as long, with the name of its time zone. */
const MAX_LENGTH = 90

const NUMERIC = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)(.*)$/
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?!\d)(.*)$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/
const SEPARATOR = '(?:[ ,./-]|of |de )*'
const DAY = '(\\d{1,2})(?:st|nd|rd|th|o)?'
const MONTH = '([a-z]{3,9})'
const YEAR = '(\\d{4}|\\d{2})(?![\\d:])'
const WEEKDAY = '(?:[a-z]{3,7}(?:-feira)?[.,]* )?'
const DAY_FIRST_NAME = new RegExp(`^${WEEKDAY}${DAY}${SEPARATOR}${MONTH}${SEPARATOR}${YEAR}(.*)$`)
const MONTH_FIRST_NAME = new RegExp(`^${WEEKDAY}${MONTH}${SEPARATOR}${DAY}[ ,/-]+${YEAR}(.*)$`)
const YEAR_FIRST_NAME = new RegExp(`^(\\d{4})[ ./-]${MONTH}[ ./-]${DAY}(?!\\d)(.*)$`)

/** Splits a date, with or without a time after it. Returns undefined for another text. */
export function parseDateText(cell: string): DateText | undefined {
  if (cell.length > MAX_LENGTH) return undefined
  const text = toAsciiDigits(foldText(removeInvisible(cell)))
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
  return parseNumeric(text) ?? parseNamed(text)
}

function parseNumeric(text: string): DateText | undefined {
  const [, year, , month, day, rest] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return withTime('clear', [year, month, day], rest)
  const [, first, , second, third, end] = NUMERIC.exec(text) ?? []
  if (first !== undefined) return withTime('numeric', [first, second, third], end)
  const compact = COMPACT.exec(text)
  return compact ? withTime('clear', [compact[1], compact[2], compact[3]], '') : undefined
}

/** The names of months show the order. */
function parseNamed(text: string): DateText | undefined {
  const build = (year?: string, month?: string, day?: string, rest?: string) => {
    const number = findMonth(month ?? '')
    return number === undefined ? undefined : withTime('clear', [year, String(number), day], rest)
  }
  const [, day, month, year, rest] = DAY_FIRST_NAME.exec(text) ?? []
  if (day !== undefined) return build(year, month, day, rest)
  const [, name, dayAfter, yearAfter, end] = MONTH_FIRST_NAME.exec(text) ?? []
  if (name !== undefined) return build(yearAfter, name, dayAfter, end)
  const [, firstYear, middle, last, tail] = YEAR_FIRST_NAME.exec(text) ?? []
  return build(firstYear, middle, last, tail)
}

function withTime(
  form: DateText['form'],
  [first = '', second = '', third = '']: readonly (string | undefined)[],
  rest = '',
): DateText | undefined {
  const parts = [first, second, third] as const
  if (rest === '') return { form, parts, time: undefined }
  const time = parseTime(rest)
  return time && { form, parts, time }
}
