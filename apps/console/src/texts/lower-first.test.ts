import { expect, test } from 'vitest'
import { lowerFirst } from './lower-first.ts'

test.each([
  ['Position', 'position'],
  ['Contract until', 'contract until'],
  ['E-mail', 'e-mail'],
  ['LinkedIn', 'LinkedIn'],
  ['CPF', 'CPF'],
  ['Épocas', 'épocas'],
  ['', ''],
])('%j inside a sentence is %j', (label, text) => {
  expect(lowerFirst(label)).toBe(text)
})
