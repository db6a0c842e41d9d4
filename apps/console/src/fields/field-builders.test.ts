import { expect, test } from 'vitest'
import type { Console } from '../app/console-context.ts'
import { formatMoney } from '../format/money.ts'
import { en } from '../texts/en.ts'
import { emailsField, moneyField, requiredTextField, textField } from './field-builders.ts'

const console = {
  texts: en,
  workspace: { currency: 'BRL', locale: 'en-US' },
  formatAmount: (amount) => formatMoney(amount, 'en-US'),
} as Console

const amount = moneyField('amount', { label: () => 'Amount' })
const source = textField('source', { label: () => 'Source' })
const name = requiredTextField('name', { label: () => 'Name' })

test('an amount is read in the currency of its record, and nothing is shown for 0', () => {
  const before = { amount: 135_050, currency: 'JPY' } as const
  expect(amount.parse('1,350', { ...console, before })).toEqual({ amount: 1350 })
  expect(amount.parse('1,350.50', { ...console, before })).toContain('JPY')
  expect(amount.display?.({ amount: 0, currency: 'JPY' }, console)).toBeUndefined()
})

test('an empty text clears a field, unless it is required', () => {
  expect(source.parse(' \t', console)).toEqual({ source: null })
  expect(name.parse(' \t', console)).toBe(en.errors.required)
})

test('addresses that stay keep their types', () => {
  const before = { emails: [{ email: 'a@x.example', type: 'home' }] } as const
  expect(emailsField.parse('a@x.example, b@x.example', { ...console, before })).toEqual({
    emails: [
      { email: 'a@x.example', type: 'home' },
      { email: 'b@x.example', type: 'work' },
    ],
  })
})
