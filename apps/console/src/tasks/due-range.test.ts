import { expect, test } from 'vitest'
import { Calendar } from '../format/calendar.ts'
import { dueRange } from './due-range.ts'

const NOW = new Date('2026-11-27T01:30:00.000Z')
/** Still the 26th, a Thursday. */
const calendar = new Calendar('America/Sao_Paulo')
const due_after = '2026-11-26T03:00:00.000Z'

test.each([
  ['any', {}],
  ['overdue', { due_before: NOW.toISOString() }],
  ['today', { due_after, due_before: '2026-11-27T02:59:59.999Z' }],
  ['week', { due_after, due_before: '2026-11-30T02:59:59.999Z' }],
  [null, { due_after: '1970-01-01T00:00:00.000Z' }],
  ['unknown', { due_after: '1970-01-01T00:00:00.000Z' }],
])('%s', (filter, range) => {
  expect(dueRange(filter, NOW, calendar)).toEqual(range)
})
