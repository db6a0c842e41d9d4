import { expect, test } from 'vitest'
import { formatDealLink, inMonths } from './deal-link.ts'

test('the address of deals has what the report counts', () => {
  expect(formatDealLink('p1', null, { status: 'open', stage: 's1' })).toBe(
    '/deals?view=table&pipeline=p1&status=open&stage=s1',
  )
  const link = new URL(
    formatDealLink('p1', 'me', { status: 'win', conditions: [inMonths('closed_at', '2025-11', '2026-02')] }),
    'http://localhost',
  )
  expect(link.searchParams.get('owner')).toBe('me')
  expect(JSON.parse(link.searchParams.get('filter') ?? '')).toEqual({
    and: [{ field: 'closed_at', op: 'between', value: ['2025-11-01', '2026-02-28'] }],
  })
})
