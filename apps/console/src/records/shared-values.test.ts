import type { CustomField } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { en } from '../texts/en.ts'
import { readCustomValue, type SharedValue, toChanges } from './shared-values.ts'

const CONSOLE = { texts: en }
const field = (type: CustomField['type'], required = false) => ({ key: 'f', type, required }) as CustomField

test.each<readonly [CustomField, typed: string, value: unknown]>([
  [field('text'), ' a  b ', 'a b'],
  [field('text'), '  ', null],
  [field('number'), '2.5', 2.5],
  [field('date'), '2026-12-31', '2026-12-31'],
  [field('multi_select'), 'x', ['x']],
])('the value of %j that is typed as %j', (custom, typed, value) => {
  const read = readCustomValue(custom, typed, CONSOLE) as SharedValue
  expect(toChanges(read)).toEqual({ custom_fields: [{ key: 'f', value }] })
})

test.each<readonly [CustomField, typed: string, error: string]>([
  [field('text', true), ' ', en.errors.required],
  [field('number'), 'many', en.errors.notANumber],
  [field('date'), 'someday', en.errors.notADay],
])('%j refuses %j', (custom, typed, error) => {
  expect(readCustomValue(custom, typed, CONSOLE)).toBe(error)
})
