import { expect, test } from 'vitest'
import type { LineItem } from '../../schema/deal-item.ts'
import { compareItems, insertItem } from './order-items.ts'

const [BEFORE, AT] = ['2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z']

function itemOf(id: string, position: number): LineItem {
  return {
    ...{ id, position, deal_id: 'd', product_id: null, name: id, code: null, description: null, quantity: 1 },
    ...{ unit_price_cts: 100, discount: { percent: 10 }, tax_rate: null, billing_cycle: 'one_time' },
    ...{ created_at: BEFORE, updated_at: BEFORE },
  }
}

const ITEMS = ['a', 'b', 'c'].map(itemOf)
const [a, b, c] = ITEMS as [LineItem, LineItem, LineItem]
const NONE = { added: [], changed: [], removed: [] }

test('a new item is put at its position, at most behind the last, and those behind it move', () => {
  expect(compareItems(ITEMS, insertItem(ITEMS, itemOf('d', 0)), AT)).toMatchObject({
    ...NONE,
    added: [{ id: 'd', position: 3 }],
  })
  expect(compareItems(ITEMS, insertItem(ITEMS, itemOf('d', 0), 9), AT).items).toHaveLength(4)
  expect(compareItems(ITEMS, insertItem(ITEMS, itemOf('d', 0), 1), AT)).toMatchObject({
    items: [a, { id: 'd', position: 1 }, { id: 'b', position: 2, updated_at: AT }, { id: 'c', position: 3 }],
    changed: [{ id: 'b' }, { id: 'c' }],
    removed: [],
  })
})

test('a removed item leaves no gap, and what is equal is not written', () => {
  expect(compareItems(ITEMS, [a, c], AT)).toMatchObject({
    ...NONE,
    changed: [{ id: 'c', position: 1 }],
    removed: [b],
  })
  const copies = ITEMS.map((item) => ({ ...item, discount: { percent: 10 } }))
  expect(compareItems(ITEMS, copies, AT)).toEqual({ ...NONE, items: ITEMS })
  expect(compareItems(ITEMS, [], AT)).toEqual({ ...NONE, items: [], removed: ITEMS })
})
