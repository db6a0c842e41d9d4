import { CrmApiError, type CustomField } from '@sales-crm/client'
import { expect, test } from 'vitest'
import type { Target } from '../columns/target.ts'
import { explainRefusal } from './refusal.ts'

const CPF: Target = { id: 'field:cpf', kind: 'field', field: { key: 'cpf' } as CustomField }
const EMAIL: Target = { id: 'email:work', kind: 'email', type: 'work' }
const TARGETS = [{ id: 'fullName', kind: 'fullName' } as const, EMAIL, EMAIL, CPF, undefined]
const ROW = { number: 2, cells: ['Ana', 'a@x.example', 'b@é.example', ' 111 ', 'x'] }
const INPUT = { emails: [{ email: 'a@x.example' }, { email: 'b@é.example' }] }

const WORDS = { explain: String, labelOf: (path: string) => path.replace('custom_fields.', '') }

const explain = (fields: Record<string, string>) =>
  explainRefusal(new CrmApiError('Refused.', { status: 422, fields }), ROW, TARGETS, INPUT, WORDS)

test('names the column of each field that the service refuses', () => {
  expect(explain({ full_name: 'Too long.', 'custom_fields.cpf': 'Not a CPF.' })).toEqual([
    { column: 0, text: 'Ana', reason: { message: 'Too long.' } },
    { column: 3, text: '111', reason: { message: 'Not a CPF.' } },
  ])
})

test('names the column that an address comes from', () => {
  expect(explain({ 'emails[1].email': 'Must be ASCII.' })).toEqual([
    { column: 2, text: 'b@é.example', reason: { message: 'Must be ASCII.' } },
  ])
})

test('names the field where no column is the cause', () => {
  expect(explain({ 'custom_fields.other': 'Is required.' })).toEqual([
    { column: undefined, text: '', reason: { message: 'other: Is required.' } },
  ])
})

test('explains a failure without fields', () => {
  expect(explainRefusal(new Error('x'), ROW, TARGETS, INPUT, { ...WORDS, explain: () => 'why' })).toEqual([
    { column: undefined, text: '', reason: { message: 'why' } },
  ])
})
