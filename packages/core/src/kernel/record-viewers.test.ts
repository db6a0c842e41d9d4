import { describe, expect, test } from 'vitest'
import { listRecordViewers, type RuledWorkspace } from './record-viewers.ts'
import { type Share, VISIBLE_TO_EVERYONE } from './visibility.ts'

const south = {
  ...{ id: 'south', removed_member_ids: ['gone'] },
  members: [
    { id: 'lea', lead: true },
    { id: 'ben', lead: false },
    { id: 'tom', lead: false },
  ],
}
const WORKSPACE: RuledWorkspace = {
  visibility: { ...VISIBLE_TO_EVERYONE, deals: 'team', tasks: 'owner' },
  members: [
    ...(['ben', 'cleo', 'lea', 'tom'] as const).map((id) => ({
      id,
      role: 'member' as const,
      created_at: '2026',
    })),
    { id: 'ada', role: 'admin', created_at: '2026' },
    { id: 'olga', role: 'owner', created_at: '2026' },
  ],
  teams: [south, { ...south, id: 'west', members: [{ id: 'cleo', lead: true }], removed_member_ids: [] }],
}

function viewersOf(
  kind: 'deals' | 'people' | 'tasks',
  owner_user_id: string | null,
  { shares = [], linked = [] }: { shares?: readonly Share[]; linked?: readonly string[] } = {},
) {
  return listRecordViewers(kind, { owner_user_id, shares }, WORKSPACE, new Set(linked)).map(
    ({ member_id, reason, team_id, access }) =>
      [member_id, reason, team_id, access].filter(Boolean).join(' '),
  )
}

const MANAGERS = ['olga workspace_owner write', 'ada admin write']

describe('who sees a record', () => {
  test('where its team does', () => {
    expect(viewersOf('deals', 'ben')).toEqual([
      'ben owner write',
      ...MANAGERS,
      'lea lead south write',
      'tom team south read',
    ])
  })

  test('where its owner does: a lead too', () => {
    expect(viewersOf('tasks', 'ben')).toEqual(['ben owner write', ...MANAGERS, 'lea lead south write'])
  })

  test('that was left by a removed member', () => {
    expect(viewersOf('deals', 'gone')).toEqual([...MANAGERS, 'lea lead south write'])
  })

  test('where everyone does: shares and teams change nothing', () => {
    const shares: Share[] = [{ team_id: 'west', access: 'write' }]
    expect(viewersOf('people', 'lea', { shares })).toEqual([
      'lea owner write',
      ...MANAGERS,
      ...['ben', 'cleo', 'tom'].map((id) => `${id} everyone read`),
    ])
    expect(viewersOf('people', 'gone')).toContain('ben everyone write')
  })

  test('that nobody owns', () => {
    expect(viewersOf('deals', null)).toEqual([
      ...MANAGERS,
      ...['ben', 'cleo', 'lea', 'tom'].map((id) => `${id} unowned write`),
    ])
  })

  test('that is shared, by the access of the share', () => {
    const shares: Share[] = [
      { member_id: 'tom', since: '2026', access: 'write' },
      { member_id: 'cleo', since: '2025', access: 'write' },
    ]
    expect(viewersOf('tasks', 'ben', { shares })).toContain('tom share write')
    expect(viewersOf('deals', 'ben', { shares })).toContain('tom team south write')
    expect(viewersOf('deals', 'ben', { shares }).join()).not.toContain('cleo')
    expect(viewersOf('deals', 'ben', { shares: [{ team_id: 'west', access: 'read' }] })).toContain(
      'cleo share read',
    )
  })

  test('that is a task of the record of somebody else', () => {
    expect(viewersOf('tasks', 'ben', { linked: ['cleo', 'ada'] })).toContain('cleo linked_record read')
  })
})
