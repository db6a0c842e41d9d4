import { expect, test } from 'vitest'
import { type Cell, moveToCell, NEW_LINE, nextEditedCell } from './cells.ts'

const LINES = ['a', 'b', NEW_LINE]

test.each<[Cell, string, Cell | undefined]>([
  [{ line: 'a', name: 'name' }, 'ArrowDown', { line: 'b', name: 'name' }],
  [{ line: 'a', name: 'name' }, 'ArrowUp', { line: 'a', name: 'name' }],
  [{ line: 'a', name: 'name' }, 'ArrowLeft', { line: 'a', name: 'name' }],
  [{ line: 'a', name: 'total_cts' }, 'ArrowRight', { line: 'a', name: 'actions' }],
  [{ line: 'b', name: 'discount' }, 'ArrowDown', { line: NEW_LINE, name: 'discount' }],
  // The column stays while the new line is passed.
  [{ line: NEW_LINE, name: 'discount' }, 'ArrowUp', { line: 'b', name: 'discount' }],
  [{ line: 'b', name: 'discount' }, 'Home', { line: 'b', name: 'name' }],
  [{ line: 'b', name: 'discount' }, 'Control+Home', { line: 'a', name: 'name' }],
  [{ line: 'a', name: 'name' }, 'Control+End', { line: NEW_LINE, name: 'actions' }],
  [{ line: 'a', name: 'name' }, 'Enter', undefined],
  [{ line: 'gone', name: 'name' }, 'ArrowDown', { line: 'a', name: 'name' }],
])('%j %s moves to %j', (cell, key, moved) => {
  expect(moveToCell(cell, key, LINES)).toEqual(moved)
})

test('Tab goes through the edited cells of all lines into the new line', () => {
  const visited: Cell[] = []
  for (
    let cell: Cell | undefined = { line: 'a', name: 'tax_rate' };
    cell;
    cell = nextEditedCell(cell, false, LINES)
  )
    visited.push(cell)
  expect(visited.slice(0, 3)).toEqual([
    { line: 'a', name: 'tax_rate' },
    { line: 'a', name: 'billing_cycle' },
    { line: 'b', name: 'name' },
  ])
  expect(visited.at(-1)).toEqual({ line: NEW_LINE, name: 'name' })
  expect(nextEditedCell({ line: 'a', name: 'name' }, true, LINES)).toBeUndefined()
  expect(nextEditedCell({ line: NEW_LINE, name: 'name' }, true, LINES)).toEqual({
    line: 'b',
    name: 'billing_cycle',
  })
})
