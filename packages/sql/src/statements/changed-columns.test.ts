import { expect, test } from 'vitest'
import { createColumnDiff } from './changed-columns.ts'

const AT = '2026-03-01T12:00:00.000Z'
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] as const
const BEFORE = record('')

/** A record with `y` in the given columns and `n` in the others. */
function record(changed: string) {
  const values = Object.fromEntries(NAMES.map((name) => [name, changed.includes(name) ? 'y' : 'n']))
  return { id: 'x', created_at: AT, updated_at: AT, ...values }
}

test('returns the columns that differ, or undefined if none does', () => {
  const diffColumns = createColumnDiff()
  expect(diffColumns(record(''), BEFORE)).toBeUndefined()
  expect(diffColumns(record('c'), BEFORE)).toEqual(['c'])
  expect(diffColumns(record('adgj'), BEFORE)).toEqual(['a', 'd', 'g', 'j'])
  expect(diffColumns(record('abcdefghij'), BEFORE)).toEqual([...NAMES])
})

test('distinguishes the first thirty sets of more than four columns, and returns undefined for others', () => {
  const diffColumns = createColumnDiff()
  const sets = NAMES.flatMap((one, at) =>
    NAMES.slice(at + 1).map((other) => NAMES.filter((name) => name !== one && name !== other)),
  )
  const diffEachSet = () => sets.slice(0, 31).map((set) => diffColumns(record(set.join('')), BEFORE))
  expect(diffEachSet()).toEqual([...sets.slice(0, 30), undefined])
  expect(diffEachSet()).toEqual([...sets.slice(0, 30), undefined])
  expect(diffColumns(record('abcd'), BEFORE)).toEqual(['a', 'b', 'c', 'd'])
})
