import { foldText } from '@sales-crm/core/browser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMatch } from './find-match.ts'

test('finds a part without accents and case', () => {
  expect(findMatch('Vitória Ångström', 'angs')).toEqual([8, 12])
  expect(findMatch('Pampa', 'PAM')).toEqual([0, 3])
  expect(findMatch('Pampa', 'x')).toBeUndefined()
  expect(findMatch('Pampa', '')).toBeUndefined()
})

test('a letter may be followed by its accent as a character of its own', () => {
  expect(findMatch('Sa\u0303o Paulo', 'sao')).toEqual([0, 4])
})

test('the part that is found equals what is sought', () => {
  const words = fc.string({
    unit: fc.constantFrom('a', 'Á', 'ã', 'e', 'É', 'ñ', 'İ', 'ß', ' ', '\u0303', '😀'),
  })
  fc.assert(
    fc.property(words, words, words, (before, sought, after) => {
      fc.pre(foldText(sought) !== '')
      const text = before + sought + after
      const match = findMatch(text, sought)
      fc.pre(match !== undefined)
      expect(foldText(text.slice(...match!))).toContain(foldText(sought))
    }),
  )
})
