import type { CustomField } from '@sales-crm/client'
import { expect, test } from 'vitest'
import type { Console } from '../app/console-context.ts'
import type { FormField } from '../fields/field.ts'
import { dayField, emailsField, linkField, moneyField, requiredTextField } from '../fields/field-builders.ts'
import { Calendar } from '../format/calendar.ts'
import { en } from '../texts/en.ts'
import { findError, type RecordDraft, readDraft, withText } from './record-draft.ts'

const console = {
  texts: en,
  workspace: { currency: 'BRL', locale: 'pt-BR' },
  calendar: new Calendar('America/Sao_Paulo'),
} as Console

const fields: readonly FormField<never>[] = [
  requiredTextField('name', { label: () => 'Name' }),
  moneyField('amount', { label: () => 'Amount' }),
  dayField('forecast_date', { label: () => 'Forecast' }),
  emailsField,
  linkField('company'),
]

function draftOf(texts: RecordDraft['texts']): RecordDraft {
  return { texts, links: { company: null, person: null }, currency: 'USD', stageId: '', required: {} }
}

test('what is typed becomes the input, in the chosen currency, without what is empty', () => {
  const { input, errors } = readDraft(
    fields,
    [],
    draftOf({ name: ' Solar\troof ', amount: '1.350,50' }),
    console,
  )
  expect(errors).toEqual({})
  expect(input).toEqual({ name: 'Solar roof', amount: 135_050, currency: 'USD', emails: [] })
})

test('a day is the whole day of the workspace, and addresses are separated by commas', () => {
  const texts = { name: 'A', forecast_date: '2026-12-01', emails: 'a@x.example, b@x.example' }
  expect(readDraft(fields, [], draftOf(texts), console).input).toMatchObject({
    forecast_date: '2026-12-02T02:59:00.000Z',
    emails: [{ email: 'a@x.example' }, { email: 'b@x.example' }],
  })
})

test('texts that are no values are errors of their fields', () => {
  const { errors } = readDraft(fields, [], draftOf({ amount: 'much' }), console)
  expect(Object.keys(errors)).toEqual(['name', 'amount'])
})

test('required custom fields are sent, though they are empty', () => {
  const field = { key: 'segment', type: 'text' } as CustomField
  const { input } = readDraft(fields, [field], draftOf({ name: 'A' }), console)
  expect(input['custom_fields']).toEqual([{ key: 'segment', value: null }])
})

test.each([
  [emailsField, 'emails[0].email'],
  [linkField('company'), 'company_id'],
  [moneyField('amount', { label: () => '' }), 'currency'],
])('the error of a part or of an id is that of its field', (field, path) => {
  expect(findError(field as FormField<never>, { [path]: 'Wrong.', emails_2: 'No.' })).toBe('Wrong.')
})

test('an emptied form has the draft that it began with', () => {
  expect(withText(withText({}, 'name', 'A'), 'name', '')).toEqual({})
})
