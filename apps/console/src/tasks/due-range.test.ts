import { expect, test } from 'vitest'
import { dueRange } from './due-range.ts'

const NOW = new Date(2026, 10, 26, 12, 30)

test.each([
  ['any', {}],
  ['overdue', { due_before: NOW.toISOString() }],
  [
    'today',
    { due_after: new Date(2026, 10, 26).toISOString(), due_before: new Date(2026, 10, 27).toISOString() },
  ],
  [
    'week',
    {
      due_after: new Date(2026, 10, 26).toISOString(),
      due_before: new Date(2026, 10, 29, 23, 59).toISOString(),
    },
  ],
  [null, { due_after: '1970-01-01T00:00:00.000Z' }],
  ['unknown', { due_after: '1970-01-01T00:00:00.000Z' }],
])('%s', (filter, range) => {
  expect(dueRange(filter, NOW)).toEqual(range)
})
