import type { DealListItem } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { findCard, nextColumn } from './card-position.ts'

const stages = [['a', 'b'], [], ['c']].map((ids) => ({ deals: ids.map((id) => ({ id }) as DealListItem) }))

test('finds a card by its id', () => {
  expect(findCard(stages, 'b')).toEqual({ column: 0, row: 1 })
  expect(findCard(stages, 'c')).toEqual({ column: 2, row: 0 })
  expect(findCard(stages, 'd')).toBeUndefined()
  expect(findCard(stages, undefined)).toBeUndefined()
})

test('stages without cards are passed over', () => {
  expect(nextColumn(stages, { column: 0, row: 1 }, 1)).toEqual({ column: 2, row: 1 })
  expect(nextColumn(stages, { column: 2, row: 0 }, -1)).toEqual({ column: 0, row: 0 })
  expect(nextColumn(stages, { column: 2, row: 0 }, 1)).toBeUndefined()
  expect(nextColumn(stages, undefined, 1)).toEqual({ column: 0, row: 0 })
})
