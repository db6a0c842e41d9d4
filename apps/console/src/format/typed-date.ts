import { type Day, foldText } from '@sales-crm/core/browser'
import { addDays, addMonths, daysOfMonth } from './calendar.ts'

/** A day as it was typed, with a time of day if one was meant. */
export interface TypedDate {
  readonly day: Day
  /** `09:30` */
  readonly time: string | undefined
}

interface Context {
  readonly locale: string
  readonly today: Day
}

/** Direction marks, which some locales write between numbers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Reads a day: a word (`tomorrow`, `amanhã`), a weekday, which is the next one after today (`fri`, `sexta`), a distance
 * (`+3`, `+2w`, `em 3 dias`), a day and a month in the order of the locale (`31/12`, `31 dez`), with a year or without,
 * or `2026-12-31`. A time may follow it, or stand alone for today (`9h`, `9:30`, `9am`). Words are those of English and
 * Portuguese, whole or their beginnings.
 * @returns undefined for what is no day
 */
export function parseTypedDate(text: string, context: Context): TypedDate | undefined {
  const folded = foldText(text.replaceAll(INVISIBLE, '')).trim().replaceAll(/\s+/g, ' ')
  const [rest, time] = splitTime(folded)
  if (time === null) return undefined
  if (rest === '') return time === undefined ? undefined : { day: context.today, time }
  const day = READERS.map((read) => read(rest, context)).find((found) => found !== undefined)
  return day === undefined ? undefined : { day, time }
}

export function isDay(text: string): text is Day {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** A day in the form in which `parseTypedDate` reads it, with its year. */
export function formatTypedDay(day: Day, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' },
  }).format(new Date(`${day}T00:00Z`))
}

const TIME = /(?:^|\s)(?:(?:as|at) )?(\d{1,2})(?:[:h](\d{2}))? ?(h|am|pm)?$/

/** Splits off the time at the end: null for one that no clock shows, undefined without one. */
function splitTime(text: string): readonly [rest: string, time: string | null | undefined] {
  const match = TIME.exec(text)
  const [whole = '', hourText = '', minute, unit] = match ?? []
  // A number alone belongs to the day.
  if (!match || (minute === undefined && unit === undefined)) return [text, undefined]
  const typed = Number(hourText)
  const isTwelve = unit === 'am' || unit === 'pm'
  const hour = isTwelve ? (typed % 12) + (unit === 'pm' ? 12 : 0) : typed
  const isTime = hour < 24 && Number(minute ?? 0) < 60 && (!isTwelve || (typed >= 1 && typed <= 12))
  const time = isTime ? `${String(hour).padStart(2, '0')}:${minute ?? '00'}` : null
  return [text.slice(0, text.length - whole.length).trim(), time]
}

type ReadDay = (text: string, context: Context) => Day | undefined

const READERS: readonly ReadDay[] = [readWord, readWeekday, readDistance, readNumbers, readMonthName]

const MIN_LETTERS = 3
const WORDS: Readonly<Record<string, number>> = {
  ...{ today: 0, tomorrow: 1, yesterday: -1 },
  ...{ hoje: 0, amanha: 1, ontem: -1, 'depois de amanha': 2 },
}

function readWord(text: string, { today }: Context): Day | undefined {
  const word = findByBeginning(text, Object.keys(WORDS))
  return word === undefined ? undefined : addDays(today, WORDS[word]!)
}

const WEEKDAYS = [
  ['sunday', 'domingo'],
  ['monday', 'segunda-feira'],
  ['tuesday', 'terca-feira'],
  ['wednesday', 'quarta-feira'],
  ['thursday', 'quinta-feira'],
  ['friday', 'sexta-feira'],
  ['saturday', 'sabado'],
]

function readWeekday(text: string, { today }: Context): Day | undefined {
  const weekday = WEEKDAYS.findIndex((names) => findByBeginning(text, names) !== undefined)
  if (weekday < 0) return undefined
  const distance = (weekday - new Date(`${today}T00:00Z`).getUTCDay() + 7) % 7
  return addDays(today, distance || 7)
}

const DISTANCE = /^(?:([+-])|(?:in|em) )(\d{1,4}) ?(d|days?|dias?|w|weeks?|s|semanas?|m|months?|mes|meses)?$/

function readDistance(text: string, { today }: Context): Day | undefined {
  const [, sign, digits, unit = 'd'] = DISTANCE.exec(text) ?? []
  if (digits === undefined) return undefined
  const count = sign === '-' ? -Number(digits) : Number(digits)
  if (unit.startsWith('m')) return moveMonths(today, count)
  return addDays(today, /^[ws]/.test(unit) ? 7 * count : count)
}

/** The same day of another month, or the last one that it has. */
function moveMonths(day: Day, count: number): Day {
  const month = addMonths(day.slice(0, 'YYYY-MM'.length), count)
  const [, last] = daysOfMonth(month)
  const moved = `${month}${day.slice('YYYY-MM'.length)}`
  return moved < last ? moved : last
}

function readNumbers(text: string, context: Context): Day | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return toDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const [, first, second, year] = /^(\d{1,2})[./-](\d{1,2})(?:[./-](\d{2}|\d{4}))?$/.exec(text) ?? []
  if (first === undefined) return undefined
  const [day, month] = isMonthFirst(context.locale) ? [second, first] : [first, second]
  return toNearestDay(year, Number(month), Number(day), context)
}

const MONTHS = [
  ['january', 'janeiro'],
  ['february', 'fevereiro'],
  ['march', 'marco'],
  ['april', 'abril'],
  ['may', 'maio'],
  ['june', 'junho'],
  ['july', 'julho'],
  ['august', 'agosto'],
  ['september', 'setembro'],
  ['october', 'outubro'],
  ['november', 'novembro'],
  ['december', 'dezembro'],
]

function readMonthName(text: string, context: Context): Day | undefined {
  const dayFirst = /^(\d{1,2}) ?(?:de )?([a-z]+)\.?,?(?: (?:de )?(\d{4}))?$/.exec(text)
  const monthFirst = /^([a-z]+)\.? (\d{1,2}),?(?: (\d{4}))?$/.exec(text)
  const [day, name, year] = dayFirst?.slice(1) ?? [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]]
  if (day === undefined || name === undefined) return undefined
  const month = MONTHS.findIndex((names) => findByBeginning(name, names) !== undefined)
  return month < 0 ? undefined : toNearestDay(year, month + 1, Number(day), context)
}

function findByBeginning(text: string, names: readonly string[]): string | undefined {
  return text.length < MIN_LETTERS ? undefined : names.find((name) => name.startsWith(text))
}

/** The day of a year of two or four digits; without one, the day that is nearest to today. */
function toNearestDay(
  year: string | undefined,
  month: number,
  day: number,
  { today }: Context,
): Day | undefined {
  if (year !== undefined) return toDay(Number(year) + (year.length === 2 ? 2000 : 0), month, day)
  const present = Number(today.slice(0, 4))
  const distance = (each: Day) => Math.abs(Date.parse(each) - Date.parse(today))
  const [nearest] = [-1, 0, 1]
    .flatMap((step) => toDay(present + step, month, day) ?? [])
    .toSorted((one, other) => distance(one) - distance(other))
  return nearest
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day')
}

/** @returns undefined for a day that the calendar does not have */
function toDay(year: number, month: number, day: number): Day | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.toISOString().slice(0, 10)
}
