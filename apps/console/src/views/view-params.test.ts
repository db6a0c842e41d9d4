import { expect, test } from 'vitest'
import { isChanged, mergeParams, paramsOf, readOwnChange } from './view-params.ts'

const FILTER = { and: [{ field: 'full_name', op: 'is', value: 'Ana' }] }
const VIEW = {
  filter: FILTER,
  order_by: 'score,full_name',
  order: 'desc,asc',
  group_by: 'owner' as const,
  columns: ['full_name', 'score'],
}

test('a saved view says what the address does not', () => {
  const saved = paramsOf(VIEW)
  expect(saved).toEqual({
    ...{ filter: JSON.stringify(FILTER), sort: 'score,full_name', order: 'desc,asc' },
    ...{ group: 'owner', columns: 'full_name,score' },
  })
  const merge = (text: string) => Object.fromEntries(mergeParams(new URLSearchParams(text), VIEW))
  expect(merge('saved=1')).toEqual({ saved: '1', ...saved })
  expect(merge('saved=1&sort=full_name&order=asc&group=-&columns=-')).toEqual({
    ...{ saved: '1', filter: saved['filter'], sort: 'full_name', order: 'asc' },
  })
  expect(Object.fromEntries(mergeParams(new URLSearchParams('filter=-'), undefined))).toEqual({})
})

test('the address holds what differs from the view', () => {
  expect(readOwnChange('sort', 'full_name', VIEW)).toBe('full_name')
  expect(readOwnChange('sort', 'score,full_name', VIEW)).toBeUndefined()
  expect(readOwnChange('filter', undefined, VIEW)).toBe('-')
  expect(readOwnChange('filter', undefined, undefined)).toBeUndefined()
  expect(readOwnChange('search', '', VIEW)).toBeUndefined()
  expect(isChanged(new URLSearchParams('saved=1&search=ana'))).toBe(false)
  expect(isChanged(new URLSearchParams('saved=1&filter=-'))).toBe(true)
})
