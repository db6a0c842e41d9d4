import { expect, test } from 'vitest'
import { neighbourOf } from './list-position.ts'

const list = { href: '/people', total: 128, index: 51, ids: ['a', 'b', 'c'], start: 50 }

test('the neighbours of a record are those of its list', () => {
  expect(neighbourOf(list, 1)).toEqual({ id: 'c', list: { ...list, index: 52 } })
  expect(neighbourOf(list, -1)?.id).toBe('a')
})

test('there is none beyond the rows that were loaded', () => {
  expect(neighbourOf(list, 2)).toBeUndefined()
  expect(neighbourOf(list, -2)).toBeUndefined()
})
