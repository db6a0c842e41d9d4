import { describe, expect, test } from 'vitest'
import { canRemove, isDemotion, listAssignableRoles, splitAddresses } from './member-rules.ts'

const owner = { id: 'o', role: 'owner' } as const
const secondOwner = { id: 'p', role: 'owner' } as const
const admin = { id: 'a', role: 'admin' } as const
const member = { id: 'm', role: 'member' } as const

describe('roles', () => {
  test.each([
    ['owner', 'admin', true],
    ['admin', 'member', true],
    ['member', 'admin', false],
    ['admin', 'owner', false],
    ['admin', 'admin', false],
  ] as const)('%s to %s is a demotion: %s', (before, role, expected) => {
    expect(isDemotion(before, role)).toBe(expected)
  })

  test.each([
    [owner, member, ['owner', 'admin', 'member']],
    [owner, secondOwner, ['owner', 'admin', 'member']],
    [owner, owner, []],
    [admin, member, ['admin', 'member']],
    [admin, owner, []],
    [admin, admin, []],
    [member, admin, []],
  ])('%o may give %o: %o', (me, whom, roles) => {
    expect(listAssignableRoles(me, whom)).toEqual(roles)
  })

  test.each([
    [owner, owner, [owner, member], false],
    [owner, owner, [owner, secondOwner], true],
    [admin, owner, [owner, secondOwner], false],
    [admin, member, [owner, admin, member], true],
    [member, admin, [owner, admin, member], false],
    [member, member, [owner, member], true],
  ])('%o may remove %o of %o: %s', (me, whom, members, isAllowed) => {
    expect(canRemove(me, whom, members)).toBe(isAllowed)
  })
})

test.each([
  [
    'a@x.example, b@x.example;c@x.example\nd@x.example',
    ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'],
  ],
  ['Ana Lima <ana@x.example>, ANA@x.example', ['ANA@x.example']],
  ['nobody', []],
  ['', []],
])('the addresses in %j are %j', (text, addresses) => {
  expect(splitAddresses(text)).toEqual(addresses)
})
