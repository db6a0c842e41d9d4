import { expect, test } from 'vitest'
import { changedColumns } from './changed-columns.ts'

const AT = '2026-03-01T12:00:00.000Z'
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] as const
const before = record('')

/** With `y` in the columns named, and `n` in the others. */
function record(changed: string) {
  const values = Object.fromEntries(NAMES.map((name) => [name, changed.includes(name) ? 'y' : 'n']))
  return { id: 'x', created_at: AT, updated_at: AT, ...values }
}

test('columns that differ are those to be written, and all where none does', () => {
  const changed = changedColumns()
  expect(changed(record(''), before)).toBeUndefined()
  expect(changed(record('c'), before)).toEqual(['c'])
  expect(changed(record('adgj'), before)).toEqual(['a', 'd', 'g', 'j'])
  expect(changed(record('abcdefghij'), before)).toEqual([...NAMES])
})

test('of sets of more than four columns, the first thirty are told apart: a change of another writes all', () => {
  const changed = changedColumns()
  const sets = NAMES.flatMap((one, at) => NAMES.slice(at + 1).map((other) => NAMES.filter((name) => name !== one && name !== other)))
  const written = () => sets.slice(0, 31).map((set) => changed(record(set.join('')), before))
  expect(written()).toEqual([...sets.slice(0, 30), undefined])
  expect(written()).toEqual([...sets.slice(0, 30), undefined])
  expect(changed(record('abcd'), before)).toEqual(['a', 'b', 'c', 'd'])
})
