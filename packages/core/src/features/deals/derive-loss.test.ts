import { expect, test } from 'vitest'
import { deriveLoss, deriveLostStage } from './derive-loss.ts'

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

const OPEN = { stage_id: 'demo', lost_stage_id: null }
const LOST = { stage_id: 'lost', lost_stage_id: 'demo' }

test.each([
  ['an open deal that is lost', 'lost', OPEN, 'open', 'demo'],
  ['a won deal that is lost', 'lost', { ...OPEN, stage_id: 'won' }, 'win', 'won'],
  ['a lost deal in another lost stage', 'lost', LOST, 'lost', 'demo'],
  ['a deal that is created as lost', 'lost', undefined, undefined, null],
  ['a deal that is reopened', 'open', LOST, 'lost', null],
] as const)('the stage of a loss: %s', (_, type, before, typeBefore, stage) => {
  expect(deriveLostStage(type, before, typeBefore)).toBe(stage)
})
