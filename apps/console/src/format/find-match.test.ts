import { foldText } from '@sales-crm/core/browser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutAround, findMatch, findWords } from './find-match.ts'

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

test.each([
  ['She wants twenty licences', 'wants twe', 'wants twe'],
  ['She wants twenty licences', 'lic wan', 'lic'],
  ['She wants twenty licences', 'licenças wan', 'wan'],
  ['Orçamento do João', 'joao orca', 'João'],
  ['banana ana', 'ana x', 'ana'],
  ['banana', 'nan', 'nan'],
  ['banana', 'x', undefined],
  ['banana', '-', undefined],
])('the words of %j that are sought by %j are %j', (text, sought, words) => {
  const range = findWords(text, sought)
  expect(range && text.slice(...range)).toBe(words)
})

test('a text is cut a few words before what was found', () => {
  const text = `${'a few words before '.repeat(5)}\n the roof leaks`
  expect(cutAround(text, 'roof')).toBe('…few words before the roof leaks')
  expect(cutAround('the\n roof ', 'roof')).toBe('the roof')
  expect(cutAround(`${'x'.repeat(100)}`, 'y')).toBe('x'.repeat(100))
  expect(cutAround(`${'電'.repeat(100)}話`, '話')).toBe('…話')
})
