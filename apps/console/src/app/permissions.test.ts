import { buildViewer } from '@sales-crm/core/browser'
import { describe, expect, test } from 'vitest'
import { en } from '../texts/en.ts'
import {
  canAssign,
  canChange,
  canCreate,
  canDelete,
  canShare,
  explainReadOnly,
  explainUnassignable,
  explainUndeletable,
  includeInRows,
  MEMBER_SINCE,
} from './permissions.ts'

const ME = { id: 'me', name: 'Mara Prado' }
const OTHER = { id: 'other', name: 'Ana Lima' }
const own = { id: '1', owner: ME }
const unowned = { id: '2', owner: null }
const foreign = { id: '3', owner: OTHER }
const member = { id: ME.id, role: 'member' } as const
const OWNED_KINDS = ['people', 'companies', 'deals', 'tasks'] as const

describe.each(['owner', 'admin'] as const)('the role %s', (role) => {
  const me = { id: ME.id, role }

  test.each([...OWNED_KINDS, 'products'] as const)('may do everything with %s', (kind) => {
    expect(canCreate(me, kind)).toBe(true)
    expect([own, unowned, foreign].map((record) => canChange(me, kind, record))).toEqual([true, true, true])
    expect(explainReadOnly({ me, texts: en }, kind, [own, unowned, foreign])).toBeUndefined()
  })

  test('may make everybody the owner', () => {
    expect([ME, OTHER].map((owner) => canAssign(me, owner, 'deals'))).toEqual([true, true])
  })
})

test.each(OWNED_KINDS)('a member may create %s, and change those of their own and of nobody', (kind) => {
  expect(canCreate(member, kind)).toBe(true)
  expect([own, unowned, foreign].map((record) => canChange(member, kind, record))).toEqual([
    true,
    true,
    false,
  ])
})

test('a member may neither create nor change products', () => {
  const product = { id: '4' }
  expect([canCreate(member, 'products'), canChange(member, 'products', product)]).toEqual([false, false])
  expect(explainReadOnly({ me: member, texts: en }, 'products', [product])).toBe(
    'Only owners and admins may change products.',
  )
})

test('a member may make only themselves the owner', () => {
  expect([ME, OTHER].map((owner) => canAssign(member, owner, 'deals'))).toEqual([true, false])
})

test.each([
  ['people', [foreign], 'Only Ana Lima and admins may change this person.'],
  ['companies', [foreign], 'Only Ana Lima and admins may change this company.'],
  ['deals', [foreign], 'Only Ana Lima and admins may change this deal.'],
  ['tasks', [foreign], 'Only Ana Lima and admins may change this task.'],
  ['people', [own, foreign, unowned], '1 of 3 belongs to others.'],
  ['people', [foreign, own, foreign], '2 of 3 belong to others.'],
  ['people', [own, unowned], undefined],
  ['people', [], undefined],
] as const)('a member who would change %s reads why not: case %#', (kind, records, reason) => {
  expect(explainReadOnly({ me: member, texts: en }, kind, records)).toBe(reason)
})

test('rows include their shares only where members see a part of the records', () => {
  const visibility = { people: 'everyone', companies: 'everyone', deals: 'owner', tasks: 'team' } as const
  const bounded = { ...member, viewer: buildViewer(visibility, undefined, []) }
  expect(includeInRows(bounded, 'deals', 'next_task')).toEqual({ include: 'next_task,shared_with' })
  expect(includeInRows(bounded, 'people')).toEqual({})
  expect(includeInRows(member, 'deals', 'next_task')).toEqual({ include: 'next_task' })
})

describe('where members see a part of the records', () => {
  const visibility = { people: 'everyone', companies: 'everyone', deals: 'owner', tasks: 'team' } as const
  const team = { id: 'south', removed_member_ids: [] }
  const members = [
    { id: ME.id, lead: true },
    { id: OTHER.id, lead: false },
  ]
  const viewer = buildViewer(visibility, { id: ME.id, created_at: MEMBER_SINCE }, [{ ...team, members }])
  const lead = { ...member, viewer }
  const outside = { id: '9', owner: { id: 'far', name: 'Far Away' } }

  test('a lead changes and shares what the team owns, gives it within the team, and deletes none of it', () => {
    expect([canChange(lead, 'deals', foreign), canShare(lead, 'deals', foreign)]).toEqual([true, true])
    expect([canDelete(lead, 'deals', foreign), canDelete(lead, 'deals', own)]).toEqual([false, true])
    expect(explainUndeletable({ me: lead, texts: en }, 'deals', [foreign])).toBe(
      'Only its owner and admins may delete it.',
    )
    const owners = [ME, OTHER, outside.owner, null]
    expect(owners.map((owner) => canAssign(lead, owner, 'deals', [foreign]))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(owners.map((owner) => canAssign(lead, owner, 'deals', [own]))).toEqual([true, true, false, true])
    expect([canChange(lead, 'people', foreign), canChange(lead, 'deals', outside)]).toEqual([false, false])
  })

  test.each([
    [{ member_id: ME.id, access: 'write' }, true],
    [{ team_id: 'south', access: 'write' }, true],
    [{ member_id: ME.id, access: 'read' }, false],
    [{ team_id: 'north', access: 'write' }, false],
  ] as const)(
    'a record shared by %o is changed: %s, and neither deleted, given away nor shared',
    (share, isChanged) => {
      const record = { ...outside, shared_with: [share] }
      expect(canChange(lead, 'deals', record)).toBe(isChanged)
      expect([canDelete(lead, 'deals', record), canShare(lead, 'deals', record)]).toEqual([false, false])
      expect([ME, null].map((owner) => canAssign(lead, owner, 'deals', [record]))).toEqual([false, false])
    },
  )

  test('the reason of what is not allowed is that of the rule', () => {
    const console = { me: lead, texts: en }
    expect(explainReadOnly(console, 'deals', [outside])).toBe(
      'It belongs to Far Away: you may see it, not change it.',
    )
    const shared = { ...outside, shared_with: [{ member_id: ME.id, access: 'write' as const }] }
    expect(explainUnassignable(console, 'deals', [shared])).toBe(
      'It is shared with you to change it, not to give it away.',
    )
    expect([own, foreign].map((record) => explainUnassignable(console, 'deals', [record]))).toEqual([
      undefined,
      undefined,
    ])
  })
})
