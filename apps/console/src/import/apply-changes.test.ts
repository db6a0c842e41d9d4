import type { Import } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { applyChanges } from './apply-changes.ts'

test('a change shows at once, also for a column whose formats were not known', () => {
  const column = { name: 'A', target: null, reason: { code: 'empty' }, date_order: 'dmy', is_ambiguous: true }
  const before = { policy: 'fill', tags: ['x'], columns: [column, column] } as unknown as Import
  const target = { kind: 'people', field: 'position' } as const
  const after = applyChanges(before, {
    policy: 'keep',
    columns: [
      { column: 0, target },
      { column: 1, date_order: 'mdy' },
    ],
  })
  expect(after).toEqual({
    ...{ policy: 'keep', tags: ['x'] },
    columns: [
      { ...column, target, reason: null },
      { ...column, date_order: 'mdy', is_ambiguous: false },
    ],
  })
})
