import { expect, test } from 'vitest'
import { readSearch } from './search-text.ts'

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
