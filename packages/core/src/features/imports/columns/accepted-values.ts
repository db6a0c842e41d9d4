import { readBoolean } from '../values/boolean.ts'
import { readDate } from '../values/date.ts'
import { readNumber } from '../values/number.ts'
import { readUrl } from '../values/url.ts'
import type { FieldTarget } from './target.ts'

type IsValue = (value: string) => boolean

const isDate: IsValue = (value) =>
  ['dmy', 'mdy'].some((order) => readDate(value, order as 'dmy' | 'mdy') !== undefined)
const isNumber: IsValue = (value) => readNumber(value, 'point') !== undefined
const isBoolean: IsValue = (value) => readBoolean(value) !== undefined

/** Rules that one value at least has to meet, by field. */
const SOME: Readonly<Record<string, IsValue>> = {
  emails: (value) => value.includes('@'),
  phones: (value) => value.replace(/\P{Nd}/gu, '').length >= 3,
  website: (value) => readUrl(value) !== undefined,
  amount: isNumber,
  price_cts: isNumber,
  ...{ created_at: isDate, closed_at: isDate, forecast_date: isDate, due_date: isDate },
}

/** Rules that all values have to meet. */
const EVERY: Readonly<Record<string, IsValue>> = {
  score: (value) => /^\d{1,2}$|^100$/.test(value),
  avatar_url: (value) => /^https:\/\//i.test(value),
  is_active: isBoolean,
  completed: isBoolean,
}

/** True if a field can hold values such as these. A column without values can become any field. */
export function canHold({ field }: FieldTarget, sample: readonly string[]): boolean {
  if (sample.length === 0) return true
  const [name = ''] = field.split(':')
  const [some, every] = [SOME[name], EVERY[name]]
  return (!some || sample.some(some)) && (!every || sample.every(every))
}
