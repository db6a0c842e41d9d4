import { expect, test } from 'vitest'
import { continueList, listSelection, wrapSelection } from './wrap-selection.ts'

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

test('a second press at the end of what is formatted goes on after it', () => {
  expect(wrapSelection({ text: '**good**', start: 6, end: 6 }, '**')).toEqual({
    text: '**good**',
    start: 8,
    end: 8,
  })
})

test('a list on an empty line has its caret after the sign', () => {
  expect(listSelection({ text: 'x\n', start: 2, end: 2 })).toEqual({ text: 'x\n- ', start: 4, end: 4 })
})

test('a list goes on with the next line, and ends with an item without text', () => {
  expect(continueList({ text: '- one', start: 5, end: 5 })).toEqual({ text: '- one\n- ', start: 8, end: 8 })
  expect(continueList({ text: '- one\n- ', start: 8, end: 8 })).toEqual({ text: '- one\n', start: 6, end: 6 })
  expect(continueList({ text: 'one', start: 3, end: 3 })).toBeUndefined()
})
