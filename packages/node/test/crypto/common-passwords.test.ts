import { expect, test } from 'vitest'
import { passwords } from '../../src/index.ts'

test.each([
  ['12345678', true],
  ['password1', true],
  ['Password1', true],
  ['QWERTYUIOP', true],
  ['iloveyou2', true],
  // Full-width digits, as some keyboards write them.
  ['１２３４５６７８', true],
  ['correct horse', false],
  ['constructor', false],
  ['demo-password', false],
])('%s is a common password: %s', async (password, expected) => {
  expect(await passwords.isCommon(password)).toBe(expected)
})

test('ten thousand passwords of allowed length are common', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const longEnough = [...dictionary['passwords-common']].filter(({ length }) => length >= 8)
  expect(longEnough.length).toBeGreaterThan(10_000)
  expect(await passwords.isCommon(longEnough.at(-1)!)).toBe(true)
})
