import { describe, expect, test } from 'vitest'
import {
  findGrantedChange,
  isVisible,
  mergeViewers,
  mergeVisibility,
  type OwnedRecord,
  VISIBLE_TO_EVERYONE,
  type Viewer,
} from './visibility.ts'

const RULES = { ...VISIBLE_TO_EVERYONE, deals: 'team', people: 'owner' } as const
const NOBODY = mergeViewers(RULES, [])!
const ANN: Viewer = {
  ...NOBODY,
  userIds: new Set(['ann']),
  teammateIds: new Set(['ann', 'ben', 'cleo']),
  ledIds: new Set(['ann', 'cleo']),
  removedIds: new Set(['gone']),
  shareKeys: new Set(['ann 2026', 'south']),
}

function ownedBy(owner_user_id: string | null, ...shares: OwnedRecord['shares']): OwnedRecord {
  return { owner_user_id, shares }
}

describe('a viewer', () => {
  test.each([
    ['companies', 'dan', true],
    ['deals', null, true],
    ['deals', 'ann', true],
    ['deals', 'ben', true],
    ['deals', 'gone', true],
    ['deals', 'dan', false],
    ['people', 'ann', true],
    ['people', 'ben', false],
    ['people', 'cleo', true],
  ] as const)('of %s owned by %s: %s', (kind, owner, expected) => {
    expect(isVisible(kind, ownedBy(owner), ANN)).toBe(expected)
  })

  test('sees what is shared with the present membership or a team, and no more', () => {
    const isShared = (share: OwnedRecord['shares'][number]) => isVisible('people', ownedBy('dan', share), ANN)
    expect(isShared({ member_id: 'ann', since: '2026', access: 'read' })).toBe(true)
    expect(isShared({ member_id: 'ann', since: '2025', access: 'read' })).toBe(false)
    expect(isShared({ team_id: 'south', access: 'read' })).toBe(true)
    expect(isShared({ team_id: 'north', access: 'read' })).toBe(false)
  })

  test('may change as a lead, or by a share to write', () => {
    const write = { team_id: 'south', access: 'write' } as const
    expect(findGrantedChange(ownedBy('cleo'), ANN)).toBe('lead')
    expect(findGrantedChange(ownedBy('gone'), ANN)).toBe('lead')
    expect(findGrantedChange(ownedBy('ben'), ANN)).toBe('none')
    expect(findGrantedChange(ownedBy('ben', write), ANN)).toBe('write')
    expect(findGrantedChange(ownedBy('ben', { ...write, access: 'read' }), ANN)).toBe('none')
    expect(findGrantedChange(ownedBy(null, write), ANN)).toBe('none')
  })
})

test('several viewers see what one of them sees, and none of them what nobody owns', () => {
  const dan: Viewer = { ...NOBODY, userIds: new Set(['dan']) }
  const both = mergeViewers(RULES, [ANN, dan])!
  expect(['ann', 'dan', 'eve'].map((owner) => isVisible('people', ownedBy(owner), both))).toEqual([
    true,
    true,
    false,
  ])
  expect(mergeViewers(RULES, [ANN, undefined])).toBeUndefined()
  expect([isVisible('people', ownedBy('ann'), NOBODY), isVisible('people', ownedBy(null), NOBODY)]).toEqual([
    false,
    true,
  ])
})

test('rules that are left out stay', () => {
  expect(mergeVisibility(RULES, { people: 'everyone', tasks: undefined })).toEqual({
    ...RULES,
    people: 'everyone',
  })
})
