import { expect, test } from 'vitest'
import { findMissing } from './find-missing.ts'

const DEAL = { amount: 0, source: null, person: { id: 'p' }, tags: [], custom_fields: [{ key: 'size' }] }

test.each([
  [
    'an amount of zero, null and an empty list are none',
    ['amount', 'source', 'tags'],
    ['amount', 'source', 'tags'],
  ],
  ['a link is one', ['person'], []],
  [
    'custom fields are compared by their key',
    ['custom_fields.size', 'custom_fields.segment'],
    ['custom_fields.segment'],
  ],
  ['what the row does not have is left to the service', ['lists'], []],
  ['the loss is asked for elsewhere', ['lost_reason', 'lost_note'], []],
])('%s', (_, required, missing) => {
  expect(findMissing(required, { ...DEAL, lost_reason: null })).toEqual(missing)
})
