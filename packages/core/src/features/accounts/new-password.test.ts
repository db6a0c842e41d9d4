import { expect, test } from 'vitest'
import { passwords } from '../../../test/harness.ts'
import { checkNewPassword, isMadeOfEmail } from './new-password.ts'

const EMAIL = 'olga.silva@acme-chairs.example'

test.each([
  ['olga.silva@acme-chairs.example', true],
  ['OlgaSilva2026!', true],
  ['acmechairs#1', true],
  ['silva-1999', true],
  ['olgaolga', true],
  ['example.acme', true],
  ['olga 12345', false],
  ['olga likes blue', false],
  ['correct horse', false],
  ['!!!!!!!!', false],
  ['12345678', false],
])('%s is made of the e-mail address: %s', (password, expected) => {
  expect(isMadeOfEmail(password, EMAIL)).toBe(expected)
})

test('short parts of an address do not count', () => {
  expect(isMadeOfEmail('ededed12', 'ed@ab.io')).toBe(false)
})

test.each([
  ['password1', 'Must not be one of the most common passwords.'],
  ['olga.silva', 'Must not be made of the e-mail address.'],
])('rejects %s', async (password, rule) => {
  await expect(checkNewPassword(passwords, 'new_password', password, EMAIL)).rejects.toMatchObject({
    code: 'validation_error',
    fields: { new_password: rule },
  })
})

test('accepts any other password', async () => {
  await checkNewPassword(passwords, 'new_password', 'correct horse', EMAIL)
})
