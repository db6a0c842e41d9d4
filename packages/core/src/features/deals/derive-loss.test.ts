import { expect, test } from 'vitest'
import { deriveLoss } from './derive-loss.ts'

const RULE = 'Is for deals in a lost stage.'
const NONE = { lost_reason_id: null, lost_note: null }

test.each([
  [
    'a lost deal gets what is sent',
    'lost',
    { lost_reason_id: 'r', lost_note: 'n' },
    { lost_reason_id: 'r', lost_note: 'n' },
    {},
  ],
  ['a lost deal keeps what is not sent', 'lost', { lost_note: null }, { lost_note: null }, {}],
  ['a reopened deal has neither', 'open', {}, NONE, {}],
  ['a won deal has neither', 'win', {}, NONE, {}],
  ['null is fine for any deal', 'open', { lost_reason_id: null, lost_note: null }, NONE, {}],
  ['an open deal takes no reason', 'open', { lost_reason_id: 'r' }, NONE, { lost_reason_id: RULE }],
  [
    'a won deal takes neither',
    'win',
    { lost_reason_id: 'r', lost_note: 'n' },
    NONE,
    { lost_reason_id: RULE, lost_note: RULE },
  ],
] as const)('%s', (_, type, sent, loss, expected) => {
  const errors = new Map<string, string>()
  expect(deriveLoss(type, sent, errors)).toEqual(loss)
  expect(Object.fromEntries(errors)).toEqual(expected)
})
