import type { FilterCondition } from '@sales-crm/client'
import { foldText } from '@sales-crm/core/browser'
import { type FilterField, listOperators, takesDays, takesNoValue, takesSeveral } from './filter-field.ts'
import type { FilterTexts, Operator } from './texts.ts'

/** Reads a value that was typed for a field; undefined for none. */
export type ReadValue = (field: FilterField, text: string) => unknown

const MAX_SUGGESTIONS = 8

/**
 * Reads what was typed as comparisons that are ready to add: the beginning of the words of a field, an operator or its
 * beginning, and a value, such as `amo gr 50`. Without an operator, the usual one of the field is taken.
 */
export function suggestConditions(
  typed: string,
  fields: readonly FilterField[],
  texts: FilterTexts,
  readValue: ReadValue,
): readonly FilterCondition[] {
  const words = typed.trim().split(/\s+/)
  const found = fields.flatMap((field) => {
    for (let count = words.length; count > 0; count -= 1) {
      if (!matchesLabel(words.slice(0, count), field.label)) continue
      return readOperator(field, words.slice(count).join(' '), texts, readValue)
    }
    return []
  })
  return found.slice(0, MAX_SUGGESTIONS)
}

/** True if the words are the beginnings of words of the label, in order. `E-mail` has the beginnings of `email` and `mail`. */
export function matchesLabel(words: readonly string[], label: string): boolean {
  const labelWords = foldText(label)
    .split(/[^\p{L}\p{N}-]+/u)
    .map((each) => [withoutHyphens(each), ...each.split('-')])
  let next = 0
  for (const word of words.map(foldText).map(withoutHyphens)) {
    const index = labelWords.findIndex(
      (forms, position) => position >= next && forms.some((form) => form.startsWith(word)),
    )
    if (word === '' || index === -1) return false
    next = index + 1
  }
  return true
}

function withoutHyphens(word: string): string {
  return word.replaceAll('-', '')
}

function readOperator(
  field: FilterField,
  rest: string,
  texts: FilterTexts,
  readValue: ReadValue,
): readonly FilterCondition[] {
  const exact: FilterCondition[] = []
  const abbreviated: FilterCondition[] = []
  const folded = foldText(rest)
  for (const op of listOperators(field)) {
    const names = [texts.operators[op], ...(op === 'any_of' ? [texts.hasAny, texts.operators.is] : [])].map(
      foldText,
    )
    const words = folded.split(' ')
    for (let count = words.length; count > 0; count -= 1) {
      const start = words.slice(0, count).join(' ')
      if (start === '' || !names.some((name) => abbreviates(start, name))) continue
      const condition = complete(field, op, rest.split(' ').slice(count).join(' '), readValue)
      if (condition) (names.includes(start) ? exact : abbreviated).push(condition)
      break
    }
  }
  const conditions = [...exact, ...abbreviated]
  if (conditions.length > 0 || rest === '') return conditions
  const usual = listOperators(field)[0]!
  const condition = complete(field, usual, rest, readValue)
  return condition ? [condition] : []
}

/** True if the text begins the name of an operator, or that without its first word, such as `gr` of `is greater than`. */
function abbreviates(text: string, name: string): boolean {
  const words = name.split(' ')
  return words.some((_, index) => words.slice(index).join(' ').startsWith(text)) && text !== ''
}

function complete(
  field: FilterField,
  op: Operator,
  text: string,
  readValue: ReadValue,
): FilterCondition | undefined {
  if (takesNoValue(op)) return text === '' ? { field: field.name, op } : undefined
  if (op === 'between') return undefined
  const isDays = takesDays(op)
  const value = isDays ? readDays(text) : text === '' ? undefined : readValue(field, text)
  if (value === undefined) return undefined
  return { field: field.name, op, value: takesSeveral(op) ? [value] : value }
}

/** `30`, `30d`, `30 days` */
function readDays(text: string): number | undefined {
  const days = /^(\d{1,4})\s*\p{L}*$/u.exec(text.trim())?.[1]
  return days === undefined || Number(days) < 1 ? undefined : Number(days)
}
