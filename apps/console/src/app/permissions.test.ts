import { describe, expect, test } from 'vitest'
import { en } from '../texts/en.ts'
import { canAssign, canChange, canCreate, explainReadOnly } from './permissions.ts'

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
