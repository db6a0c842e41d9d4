import { type Day, foldText, isPhone } from '@sales-crm/core/browser'
import type { Console } from '../app/console-context.ts'
import { parseNumber } from '../format/number.ts'
import { parseTypedDate } from '../format/typed-date.ts'
import { parseMoney } from '../format/typed-money.ts'
import type { FilterField } from './filter-field.ts'
import { matchesLabel, type ReadValue } from './suggest-conditions.ts'
import type { FilterTexts } from './texts.ts'

type Context = Pick<Console, 'workspace' | 'calendar'>

/** Returns a function that reads the values that are typed for a field, in the forms of the workspace. */
export function createReadValue({ workspace, calendar }: Context, texts: FilterTexts): ReadValue {
  return (field: FilterField, text: string) => {
    const typed = text.trim()
    switch (field.type) {
      case 'text':
      case 'emails':
        return typed === '' ? undefined : typed
      case 'phones':
        return isPhone(typed) ? typed : undefined
      case 'number':
        return readScaled(typed, (number) => parseNumber(number, workspace.locale))
      case 'amount':
        return readScaled(typed, (number) => {
          const amount = parseMoney(number, workspace.currency, workspace.locale)
          return number.trim() === '' ? undefined : amount
        })
      case 'day':
        return readDay(typed, texts, workspace.locale, calendar.dayOf(new Date()))
      case 'flag':
        return findChoice(field, typed, texts)
      default:
        return field.choices.find(({ label }) => matchesLabel(typed.split(/\s+/), label))?.value
    }
  }
}

function findChoice(field: FilterField, typed: string, texts: FilterTexts): boolean | undefined {
  const choices = field.choices.length > 0 ? field.choices : flagChoices(texts)
  const value = choices.find(({ label }) => matchesLabel(typed.split(/\s+/), label))?.value
  return value === undefined ? undefined : value === 'true'
}

export function flagChoices({ yes, no }: FilterTexts) {
  return [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ]
}

/** `50k` and `50 mil` are fifty thousand, `2m` two million. */
function readScaled(text: string, read: (number: string) => number | undefined): number | undefined {
  const [, number = '', scale = ''] = /^(.*?\d)\s*(k|mil|m|mi)?$/i.exec(text) ?? []
  const value = read(number)
  if (value === undefined || scale === '') return value
  const scaled = value * (/^(k|mil)$/i.test(scale) ? 1_000 : 1_000_000)
  return Number.isSafeInteger(Math.round(scaled)) ? scaled : undefined
}

/** A typed day. Of words such as today, the day is that of the reader: the filter has the word. */
export function readDay(
  text: string,
  { dayNames }: Pick<FilterTexts, 'dayNames'>,
  locale: string,
  today: Day,
): string | undefined {
  const folded = foldText(text)
  const name = Object.entries(dayNames).find(
    ([, label]) => folded !== '' && foldText(label).startsWith(folded),
  )
  if (name) return name[0]
  return parseTypedDate(text, { locale, today })?.day
}
