import { describe, expect, test } from 'vitest'
import { moveItem } from '../order/move-item.ts'
import { findChanges } from './draft-changes.ts'
import { addStage, toDraft } from './stage-draft.ts'

const stage = (id: string, name: string) => ({
  id,
  name,
  type: 'open' as const,
  probability: 50,
  created_at: '2026-03-01T12:00:00.000Z',
})
const draft = toDraft({ name: 'Sales', stages: [stage('a', 'New'), stage('b', 'Demo'), stage('c', 'Offer')] })

describe('findChanges', () => {
  test('finds none in an unchanged draft', () => {
    expect(findChanges(draft)).toEqual([])
  })

  test('names the stage that was moved, and the one after it', () => {
    expect(findChanges({ ...draft, stages: moveItem(draft.stages, 2, 1) })).toEqual([
      { kind: 'moved', name: 'Offer', before: 'Demo' },
    ])
    expect(findChanges({ ...draft, stages: moveItem(draft.stages, 0, 2) })).toEqual([
      { kind: 'moved', name: 'New', before: undefined },
    ])
  })

  test('finds new, removed and renamed stages', () => {
    const stages = addStage(draft.stages.slice(1), 'x').map((each) =>
      each.key === 'b' ? { ...each, name: 'Demonstration', probability: '60' } : each,
    )
    expect(findChanges({ ...draft, stages })).toEqual([
      { kind: 'renamed', name: 'Demo', to: 'Demonstration' },
      { kind: 'weighted', name: 'Demo', to: '60' },
      { kind: 'added', name: '' },
      { kind: 'removed', name: 'New' },
    ])
  })
})
