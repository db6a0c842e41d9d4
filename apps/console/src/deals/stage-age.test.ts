import { expect, test } from 'vitest'
import { measureStageAge } from './stage-age.ts'

const NOW = new Date('2026-03-12T12:00:00Z')

test.each([
  ['no limit', '2025-03-01T12:00:00Z', { type: 'open', limit: null }, { days: 376, staleAfter: undefined }],
  [
    'within the limit',
    '2026-03-02T12:00:00Z',
    { type: 'open', limit: 10 },
    { days: 10, staleAfter: undefined },
  ],
  ['over the limit', '2026-03-01T12:00:00Z', { type: 'open', limit: 10 }, { days: 11, staleAfter: 10 }],
  ['a lost deal', '2026-01-01T12:00:00Z', { type: 'lost', limit: 10 }, { days: 70, staleAfter: undefined }],
])('%s', (_, enteredAt, stage, age) => {
  expect(measureStageAge(enteredAt, stage, NOW)).toEqual(age)
})
