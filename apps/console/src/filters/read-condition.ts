import type { FilterCondition } from '@sales-crm/client'
import { type FilterField, isChosen, takesDays, takesNoValue, takesSeveral } from './filter-field.ts'
import type { ReadValue } from './suggest-conditions.ts'
import type { Operator } from './texts.ts'

const MAX_DAYS = 3650

/**
 * Reads a comparison from the values of its form.
 * @returns undefined if a value is missing or wrong
 */
export function readCondition(
  field: FilterField,
  op: Operator,
  values: readonly string[],
  read: ReadValue,
): FilterCondition | undefined {
  const { name } = field
  if (takesNoValue(op)) return { field: name, op }
  if (takesSeveral(op)) return values.length > 0 ? { field: name, op, value: values } : undefined
  const [first = ''] = values
  if (takesDays(op)) {
    const days = /^\d+$/.test(first) ? Number(first) : 0
    return days >= 1 && days <= MAX_DAYS ? { field: name, op, value: days } : undefined
  }
  const readOne = (value: string) => {
    if (field.type === 'flag') return value === '' ? undefined : value === 'true'
    return isChosen(field) ? value || undefined : read(field, value)
  }
  if (op !== 'between') {
    const value = readOne(first)
    return value === undefined ? undefined : { field: name, op, value }
  }
  const range = [readOne(first), readOne(values[1] ?? '')]
  return range.includes(undefined) ? undefined : { field: name, op, value: range }
}
