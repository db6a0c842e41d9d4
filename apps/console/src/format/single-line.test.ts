import { expect, test } from 'vitest'
import { collapseSpaces } from './single-line.ts'

test.each([
  ['\tAna Silva\r\n', 'Ana Silva'],
  ['Ana\tSilva', 'Ana Silva'],
  ['Ana \u00a0 Silva', 'Ana Silva'],
  ['Ana', 'Ana'],
  [' \t ', ''],
])('%j becomes %j', (typed, text) => {
  expect(collapseSpaces(typed)).toBe(text)
})
