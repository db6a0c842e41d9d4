import { expect, test } from 'vitest'
import { listSelection, wrapSelection } from './wrap-selection.ts'

test('signs are put around the selection, and taken away again', () => {
  const bold = wrapSelection({ text: 'so good', start: 3, end: 7 }, '**')
  expect(bold).toEqual({ text: 'so **good**', start: 5, end: 9 })
  expect(wrapSelection(bold, '**')).toEqual({ text: 'so good', start: 3, end: 7 })
})

test('an empty selection gets the signs around the caret', () => {
  expect(wrapSelection({ text: '', start: 0, end: 0 }, '_')).toEqual({ text: '__', start: 1, end: 1 })
})

test('every line that the selection touches becomes an item', () => {
  expect(listSelection({ text: 'x\none\n- two\ny', start: 4, end: 9 })).toEqual({
    text: 'x\n- one\n- two\ny',
    start: 2,
    end: 11,
  })
})
