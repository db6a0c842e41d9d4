import { expect, test } from 'vitest'
import { Calendar } from '../format/calendar.ts'
import type { FilterField } from './filter-field.ts'
import { readCondition } from './read-condition.ts'
import { createReadValue, readDay } from './read-value.ts'
import { suggestConditions } from './suggest-conditions.ts'
import { en } from './texts.ts'

const field = (
  name: string,
  label: string,
  type: FilterField['type'],
  choices: FilterField['choices'] = [],
) => ({
  ...{ name, label, type, choices },
})
const TAGS = [
  { value: 'vip', label: 'VIP' },
  { value: 'cold', label: 'Cold lead' },
]
const FIELDS = [
  field('full_name', 'Name', 'text'),
  field('amount', 'Amount', 'amount'),
  field('created_at', 'Created', 'day'),
  field('tags', 'Tags', 'options', TAGS),
  field('company.full_name', 'Company: name', 'text'),
  field('emails', 'E-mail', 'emails'),
  field('phones', 'Phone', 'phones'),
]
const WORKSPACE = { currency: 'BRL', locale: 'pt-BR' } as const
const CONTEXT = { workspace: WORKSPACE as never, calendar: new Calendar('UTC') }
const read = createReadValue(CONTEXT, en)

test.each([
  ['amo gr 50k', [{ field: 'amount', op: 'greater', value: 5_000_000 }]],
  ['amount less 1.350,50', [{ field: 'amount', op: 'less', value: 135_050 }]],
  ['amo 50', [{ field: 'amount', op: 'greater', value: 5000 }]],
  ['amo', []],
  ['amo gr x', []],
  [
    'created last 30d',
    [
      { field: 'created_at', op: 'in_last', value: 30 },
      { field: 'created_at', op: 'not_in_last', value: 30 },
    ],
  ],
  ['created before 31/12/2026', [{ field: 'created_at', op: 'before', value: '2026-12-31' }]],
  ['created is today', ['is', 'before', 'after'].map((op) => ({ field: 'created_at', op, value: 'today' }))],
  ['tags vip', [{ field: 'tags', op: 'any_of', value: ['vip'] }]],
  ['tags none cold', [{ field: 'tags', op: 'none_of', value: ['cold'] }]],
  [
    'nam Ana',
    [
      { field: 'full_name', op: 'contains', value: 'Ana' },
      { field: 'company.full_name', op: 'contains', value: 'Ana' },
    ],
  ],
  ['comp na Pampa', [{ field: 'company.full_name', op: 'contains', value: 'Pampa' }]],
  ['e-mail @pampa', [{ field: 'emails', op: 'contains', value: '@pampa' }]],
  ['email begins ana', [{ field: 'emails', op: 'begins_with', value: 'ana' }]],
  ['mail begins ana', [{ field: 'emails', op: 'begins_with', value: 'ana' }]],
  ['phone +55 11 91234-5678', [{ field: 'phones', op: 'is', value: '+55 11 91234-5678' }]],
  ['phone 11\u00a091234\u20135678', [{ field: 'phones', op: 'is', value: '11 91234\u20135678' }]],
  ['phone is ana', []],
  ['', []],
  ['zzz', []],
])('%j suggests %j', (typed, conditions) => {
  expect(suggestConditions(typed, FIELDS, en, read)).toEqual(conditions)
})

test.each([
  ['2026-02-30', undefined],
  ['31/12', '2026-12-31'],
  ['31.12.27', '2027-12-31'],
  ['tom', 'tomorrow'],
  ['', undefined],
  ['12', undefined],
])('the day %j is %j', (text, day) => {
  expect(readDay(text, en, 'pt-BR', '2026-11-29' as never)).toBe(day)
})

test('the first number of a day is the month where it is written so', () => {
  expect(readDay('12/31', en, 'en-US', '2026-11-29' as never)).toBe('2026-12-31')
})

test.each([
  [0, 'contains', [''], undefined],
  [0, 'is_empty', [], { field: 'full_name', op: 'is_empty' }],
  [1, 'between', ['1', '2'], { field: 'amount', op: 'between', value: [100, 200] }],
  [1, 'between', ['1'], undefined],
  [2, 'in_last', ['3651'], undefined],
  [2, 'in_last', ['1e1'], undefined],
  [3, 'any_of', [], undefined],
  [3, 'all_of', ['vip', 'cold'], { field: 'tags', op: 'all_of', value: ['vip', 'cold'] }],
] as const)('the form of field %i with %s %j', (index, op, values, condition) => {
  expect(readCondition(FIELDS[index]!, op, values, read)).toEqual(condition)
})
