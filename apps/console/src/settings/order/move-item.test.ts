import { describe, expect, test } from 'vitest'
import { findMovedIndexes, moveItem } from './move-item.ts'

describe('moveItem', () => {
  test('moves an item forwards and backwards', () => {
    expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  })

  test('returns the same list for an index outside of it', () => {
    const items = ['a', 'b']
    expect(moveItem(items, 0, 2)).toBe(items)
    expect(moveItem(items, 0, -1)).toBe(items)
    expect(moveItem(items, 1, 1)).toBe(items)
  })
})

describe('findMovedIndexes', () => {
  test('names only the item that was moved', () => {
    expect(findMovedIndexes(['a', 'b', 'c', 'd'], ['c', 'a', 'b', 'd'])).toEqual([0])
    expect(findMovedIndexes(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'a'])).toEqual([3])
  })

  test('ignores items that are new or removed', () => {
    expect(findMovedIndexes(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([])
  })

  test('finds several', () => {
    expect(findMovedIndexes(['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a'])).toHaveLength(3)
  })
})
