import { expect, test } from 'vitest'
import { mapRecords, removeRecords } from './map-records.ts'

const page = {
  data: [
    { id: 'a', deal: { id: 'b', name: 'old' } },
    { id: 'b', name: 'old' },
  ],
  meta: { total: 2 },
}

test('changes a record wherever it is', () => {
  const changed = mapRecords(page, 'b', (record) => ({ ...record, name: 'new' }))
  expect(changed.data).toEqual([
    { id: 'a', deal: { id: 'b', name: 'new' } },
    { id: 'b', name: 'new' },
  ])
  expect(page.data[1]).toEqual({ id: 'b', name: 'old' })
})

test('returns the same value if there is nothing to change, so that nothing is drawn again', () => {
  expect(mapRecords(page, 'c', () => ({}))).toBe(page)
  expect(removeRecords(page, 'c')).toBe(page)
  expect(mapRecords(null, 'c', () => ({}))).toBeNull()
})

test('keeps the parts that do not change', () => {
  expect(mapRecords(page, 'b', (record) => ({ ...record })).meta).toBe(page.meta)
})

test('removes a record from lists, and leaves it inside of others', () => {
  expect(removeRecords(page, 'b').data).toEqual([{ id: 'a', deal: { id: 'b', name: 'old' } }])
})
