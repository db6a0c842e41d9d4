import type { Operator } from './texts.ts'

/** How the values of a field are compared. An amount is a number of minor units. */
export type FilterType =
  | 'text'
  | 'number'
  | 'amount'
  | 'day'
  | 'flag'
  | 'choice'
  | 'options'
  | 'owner'
  | 'record'
  | 'emails'
  | 'phones'

export interface FilterChoice {
  readonly value: string
  readonly label: string
  readonly colour?: string | undefined
}

/** A field as the filters of a page offer it. */
export interface FilterField {
  /** At the API, such as `custom_fields.segment`. */
  readonly name: string
  readonly label: string
  readonly type: FilterType
  /** Of a choice, options, an owner, or a record of which there are few. */
  readonly choices: readonly FilterChoice[]
}

const EMPTY = ['is_empty', 'is_not_empty'] as const

const OPERATORS: Readonly<Record<FilterType, readonly Operator[]>> = {
  text: ['contains', 'is', 'is_not', 'begins_with', ...EMPTY],
  number: ['greater', 'less', 'between', 'is', ...EMPTY],
  amount: ['greater', 'less', 'between', 'is', ...EMPTY],
  day: ['in_last', 'not_in_last', 'in_next', 'before', 'after', 'between', 'is', ...EMPTY],
  flag: ['is'],
  choice: ['any_of', 'is_not', ...EMPTY],
  options: ['any_of', 'all_of', 'none_of', ...EMPTY],
  owner: ['any_of', 'is_not'],
  record: ['any_of', 'is_not'],
  emails: ['contains', 'is', 'is_not', 'begins_with', ...EMPTY],
  phones: ['is', 'is_not', ...EMPTY],
}

/** The operators of a field, the usual one first. */
export function listOperators({ type }: Pick<FilterField, 'type'>): readonly Operator[] {
  return OPERATORS[type]
}

export function takesNoValue(operator: string): boolean {
  return operator === 'is_empty' || operator === 'is_not_empty'
}

/** True for operators that compare with a number of days. */
export function takesDays(operator: string): boolean {
  return operator === 'in_last' || operator === 'not_in_last' || operator === 'in_next'
}

/** True for operators that compare with several values. */
export function takesSeveral(operator: string): boolean {
  return operator === 'any_of' || operator === 'all_of' || operator === 'none_of'
}

const CHOSEN: readonly FilterType[] = ['flag', 'choice', 'options', 'owner', 'record']

/** True for a field whose values are chosen, not typed. */
export function isChosen({ type }: Pick<FilterField, 'type'>): boolean {
  return CHOSEN.includes(type)
}
