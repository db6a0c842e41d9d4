import { readBoolean } from '../values/boolean.ts'
import { readDate } from '../values/date.ts'
import { readNumber } from '../values/number.ts'
import { readUrl } from '../values/url.ts'
import { columnOf } from './column-kind.ts'
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
}

/** Rules that all values have to meet. */
const EVERY: Readonly<Record<string, IsValue>> = {
  score: (value) => /^\d{1,2}$|^100$/.test(value),
  avatar_url: (value) => /^https:\/\//i.test(value),
}

/** True if a field can hold values such as these. A column without values can become any field. */
export function canHold(target: FieldTarget, sample: readonly string[]): boolean {
  if (sample.length === 0) return true
  const [name = ''] = target.field.split(':')
  const column = columnOf(target)
  const some = column === 'instant' ? isDate : SOME[name]
  const every = column === 'boolean' ? isBoolean : EVERY[name]
  return (!some || sample.some(some)) && (!every || sample.every(every))
}
