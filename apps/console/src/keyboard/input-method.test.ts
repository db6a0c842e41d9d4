import { expect, test } from 'vitest'
import { isInputMethodKey } from './input-method.ts'

test.each([
  ['Chrome on macOS, while a word is composed', true, 229, true],
  ['Safari, for the Enter that takes the word', false, 229, true],
  ['Firefox, while a word is composed', true, 13, true],
  ['Enter without an input method', false, 13, false],
])('%s', (_, isComposing, keyCode, expected) => {
  expect(isInputMethodKey({ isComposing, keyCode })).toBe(expected)
})
