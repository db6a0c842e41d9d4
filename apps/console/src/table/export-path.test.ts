import { expect, test } from 'vitest'
import { exportPath } from './export-path.ts'

test('an export has the filters and the order of the list, and all of its pages', () => {
  const query = { order_by: 'name', order: 'asc', tag: 'vip & co', search: undefined, include: 'next_task' }
  expect(exportPath('deals', query)).toBe('deals/export?order_by=name&order=asc&tag=vip+%26+co&format=csv')
  expect(exportPath('deals', { search: 'a' }, ['name', 'custom_fields.size'])).toBe(
    'deals/export?search=a&columns=name%2Ccustom_fields.size&format=csv',
  )
})
