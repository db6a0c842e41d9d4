import { expect, test } from 'vitest'
import { didYouMean } from './did-you-mean.ts'

const TASK = [
  'title',
  'notes',
  'due_date',
  'type',
  'person_id',
  'company_id',
  'deal_id',
  'owner_user_id',
  'owner_email',
  'priority',
]
const LIST = ['page', 'per_page', 'order_by', 'order', 'owner_email', 'due_after', 'due_before']
const DEAL = ['name', 'amount', 'pipeline_id', 'stage_id']

test.each([
  ['titel', TASK, 'title'],
  ['tilte', TASK, 'title'],
  ['Title', TASK, 'title'],
  ['ytpe', TASK, 'type'],
  ['tpe', TASK, 'type'],
  ['typee', TASK, 'type'],
  ['prioritty', TASK, 'priority'],
  ['dueDate', TASK, 'due_date'],
  ['companyId', TASK, 'company_id'],
  ['perpage', LIST, 'per_page'],
  ['ordre', LIST, 'order'],
  ['oder_by', LIST, 'order_by'],
])('%s is similar to one of %j', (name, known, near) => {
  expect(didYouMean(name, known)).toBe(near)
})

test.each([
  ['due', TASK, 'due_date'],
  ['owner', TASK, 'owner_email'],
  ['company', TASK, 'company_id'],
  ['DEAL', TASK, 'deal_id'],
  ['stage', DEAL, 'stage_id'],
  ['pipeline', DEAL, 'pipeline_id'],
])('%s is the first word of one of %j', (name, known, near) => {
  expect(didYouMean(name, known)).toBe(near)
})

test.each([
  ['tag', LIST],
  ['created_after', ['updated_after', 'owner_email']],
  ['closed_before', LIST],
  ['ag', LIST],
  ['pe', LIST],
  ['per_', LIST],
  ['sta', DEAL],
  ['', TASK],
  ['id', TASK],
  ['tel', TASK],
  ['__proto__', TASK],
  ['titlexx', TASK],
  ['x'.repeat(100_000), TASK],
])('%s is similar to none of %j', (name, known) => {
  expect(didYouMean(name, known)).toBeUndefined()
})

test('returns the nearest name within its limit, even if another name beyond its limit has fewer edits', () => {
  expect(didYouMean('pageve', ['page', 'pageviews'])).toBe('pageviews')
})
