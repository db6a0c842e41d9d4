import { expect, test } from 'vitest'
import { selectAllState } from './select-all-state.ts'

test.each([
  ['nothing selected', [], ['a', 'b'], 2, { isChecked: false, isMixed: false }],
  ['some selected', ['a'], ['a', 'b'], 2, { isChecked: false, isMixed: true }],
  ['all selected', ['a', 'b'], ['a', 'b'], 2, { isChecked: true, isMixed: false }],
  ['all selected that are loaded, of more', ['a', 'b'], ['a', 'b'], 61, { isChecked: false, isMixed: true }],
  ['selected before a filter', ['x'], ['a'], 1, { isChecked: false, isMixed: true }],
  ['an empty list', [], [], 0, { isChecked: false, isMixed: false }],
])('%s', (_, selected, loadedIds, total, state) => {
  expect(selectAllState(new Set(selected), loadedIds, total)).toEqual(state)
})
