import { expect, test } from 'vitest'
import { catchFieldErrors } from '../../test/harness.ts'
import { object } from '../kernel/object-schemas.ts'
import {
  countCodePoints,
  multiLineText,
  multiLineTextOrNull,
  singleLineText,
  singleLineTextOrNull,
} from '../kernel/text-schemas.ts'
import { validate } from './validate.ts'

const schema = object({ title: singleLineText(1, 200) })
const notes = object({ notes: multiLineText(5) })

function title(value: unknown): string {
  return validate(schema, { title: value }).title
}

test('length is counted in code points', () => {
  expect(countCodePoints('😀e\u0301')).toBe(3)
  expect(title('😀'.repeat(200))).toBe('😀'.repeat(200))
  expect(title('x'.repeat(200))).toHaveLength(200)
})

test.each([
  ['201 emoji', '😀'.repeat(201), 'Must be between 1 and 200 characters.'],
  ['201 letters', 'x'.repeat(201), 'Must be between 1 and 200 characters.'],
  ['a million letters', 'x'.repeat(1e6), 'Must be between 1 and 200 characters.'],
  ['nothing', '', 'Required.'],
  ['spaces', '   ', 'Required.'],
  ['a no-break space and a line break', '\u00a0\n', 'Required.'],
  ['a zero-width space', '\u200b', 'Must have a visible character.'],
  ['direction marks and a Braille blank', ' \u200e\u2800\u2069 ', 'Must have a visible character.'],
  ['a Hangul filler', '\u3164', 'Must have a visible character.'],
  ['a tab within', 'a\tb', 'Must not contain control characters.'],
  ['a line break within', 'a\nb', 'Must not contain control characters.'],
  ['the null character', 'a\0b', 'Must not contain control characters.'],
  ['the last of the C0 controls', 'a\u001fb', 'Must not contain control characters.'],
  ['a lone high surrogate', 'a\ud83d', 'Must be valid Unicode text.'],
  ['a lone low surrogate', '\ude00a', 'Must be valid Unicode text.'],
  ['a number', 5, 'Must be a string.'],
  ['an array', ['a'], 'Must be a string.'],
  ['an object', {}, 'Must be a string.'],
  ['null', null, 'Must not be null.'],
  ['undefined', undefined, 'Required.'],
])('a single-line text rejects %s', async (_, value, message) => {
  expect(await catchFieldErrors(() => title(value))).toEqual({ title: message })
})

test('white space is trimmed before the length is counted', () => {
  expect(title(`\t\n ${'x'.repeat(200)}\u3000 `)).toBe('x'.repeat(200))
})

test('a single-line text without a lower bound can be blank', () => {
  expect(validate(object({ position: singleLineText(0, 3) }), { position: '  ' })).toEqual({ position: '' })
})

test.each(['\u200b', ' \u200e\u00ad ', '\ufeff'])('an optional text of %j only is null', (text) => {
  const schema = object({ position: singleLineTextOrNull(3), notes: multiLineTextOrNull(4) })
  expect(validate(schema, { position: text, notes: text })).toEqual({ position: null, notes: null })
})

test('a visible character may stand beside invisible ones', () => {
  expect(title('👩\u200d🚀')).toBe('👩\u200d🚀')
  expect(title('می\u200cخواهم')).toBe('می\u200cخواهم')
})

test('multi-line text is not changed', () => {
  expect(validate(notes, { notes: ' a\n\t' })).toEqual({ notes: ' a\n\t' })
  expect(validate(notes, { notes: '' })).toEqual({ notes: '' })
  expect(validate(notes, { notes: '😀😀😀😀😀' })).toEqual({ notes: '😀😀😀😀😀' })
})

test.each([
  ['too many characters', '😀😀😀😀😀😀', 'Must be at most 5 characters.'],
  ['the null character', 'a\0', 'Must not contain the null character.'],
  ['a lone surrogate', '\udfff', 'Must be valid Unicode text.'],
  ['a boolean', true, 'Must be a string.'],
])('multi-line text rejects %s', async (_, value, message) => {
  expect(await catchFieldErrors(() => validate(notes, { notes: value }))).toEqual({ notes: message })
})
