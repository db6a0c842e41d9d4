import { expect, test } from 'vitest'
import { collapseSpaces, readSearch } from './typed-text.ts'

test.each([
  ['\tAna Silva\r\n', 'Ana Silva'],
  ['Ana\tSilva', 'Ana Silva'],
  ['Ana \u00a0 Silva', 'Ana Silva'],
  ['Ana', 'Ana'],
  [' \t ', ''],
])('%j becomes %j', (typed, text) => {
  expect(collapseSpaces(typed)).toBe(text)
})

test.each(['', ' ', '+', '@', '-', '(', '+ (', '“', null, undefined])('%j looks for nothing yet', (typed) => {
  expect(readSearch(typed)).toBeUndefined()
})

test.each([
  ['+5', '+5'],
  ['@acme', '@acme'],
  [' é ', 'é'],
  ['日', '日'],
])('%j looks for %j', (typed, sought) => {
  expect(readSearch(typed)).toBe(sought)
})
