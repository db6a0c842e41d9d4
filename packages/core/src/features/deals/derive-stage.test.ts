import { expect, test } from 'vitest'
import { dealEvents } from './deal.ts'
import { placeInStage } from './derive-stage.ts'

const T0 = '2026-03-01T12:00:00.000Z'
const T1 = '2026-03-02T12:00:00.000Z'
const open = { id: 'open', pipeline_id: 'p', type: 'open' } as const
const firstOpen = { ...open, id: 'first' }
const won = { id: 'won', pipeline_id: 'p', type: 'win' } as const
const lost = { id: 'lost', pipeline_id: 'p', type: 'lost' } as const

test.each([
  ['a new deal in an open stage is not closed', open, undefined, null],
  ['a new deal in a win stage is closed immediately', won, undefined, T1],
  ['winning closes a deal', won, { stage_id: 'open', closed_at: null }, T1],
  ['losing closes a deal', lost, { stage_id: 'open', closed_at: null }, T1],
  ['losing a won deal sets a new closing time', lost, { stage_id: 'won', closed_at: T0 }, T1],
  ['moving back to an open stage reopens a deal', open, { stage_id: 'won', closed_at: T0 }, null],
  ['staying in a win stage keeps the closing time', won, { stage_id: 'won', closed_at: T0 }, T0],
  ['staying in an open stage keeps a deal open', open, { stage_id: 'open', closed_at: null }, null],
])('%s', (_, stage, before, closed_at) => {
  expect(placeInStage(stage, before, T1)).toEqual({ pipeline_id: 'p', stage_id: stage.id, closed_at })
})

function inStage(stage: { readonly id: string; readonly type: 'open' | 'win' | 'lost' } | null) {
  return { stage: stage && { id: stage.id, name: stage.id, type: stage.type } }
}

test.each([
  ['created', undefined, inStage(won), ['deal.created']],
  ['edited', inStage(open), inStage(open), ['deal.updated']],
  ['edited after winning', inStage(won), inStage(won), ['deal.updated']],
  ['edited after losing', inStage(lost), inStage(lost), ['deal.updated']],
  ['moved', inStage(firstOpen), inStage(open), ['deal.updated', 'deal.stage_changed']],
  ['won', inStage(open), inStage(won), ['deal.updated', 'deal.stage_changed', 'deal.won']],
  ['lost', inStage(open), inStage(lost), ['deal.updated', 'deal.stage_changed', 'deal.lost']],
  ['lost after winning', inStage(won), inStage(lost), ['deal.updated', 'deal.stage_changed', 'deal.lost']],
  [
    'moved from one win stage to another',
    inStage({ ...won, id: 'won again' }),
    inStage(won),
    ['deal.updated', 'deal.stage_changed'],
  ],
  ['reopened', inStage(won), inStage(open), ['deal.updated', 'deal.stage_changed']],
  ['deleted', inStage(won), undefined, ['deal.deleted']],
])('a deal that is %s emits the matching events', (_, before, after, events) => {
  expect(dealEvents(before, after)).toEqual(events)
})
