import { expect, test } from 'vitest'
import type { Invitation } from '../../schema/invitation.ts'
import type { Member } from '../../schema/member.ts'
import { memberEvents } from './member.ts'

const AT = '2026-03-01T12:00:00.000Z'
const base = { id: '1', created_at: AT, updated_at: AT }
const activeMember: Member = {
  ...base,
  role: 'member',
  removed_at: null,
  has_joined: true,
  language: null,
  reminder_time: null,
  calendar_hash: null,
  notices: {},
}
const removedMember: Member = { ...activeMember, removed_at: AT }
const invitation: Invitation = {
  ...base,
  workspace_id: '2',
  user_id: '1',
  role: 'member',
  invited_by: '0198c0de-0000-7000-8000-00000000000f',
  is_mailed: true,
  token_hash: '',
  expires_at: AT,
}

test.each([
  ['is invited', undefined, invitation, ['member_invited']],
  ['is invited again', removedMember, invitation, ['member_invited']],
  ['accepts', undefined, activeMember, ['member_joined']],
  ['joins again', removedMember, activeMember, ['member_joined']],
  ['leaves', activeMember, removedMember, ['member_removed']],
])('a user who %s emits the matching event', (_, before, after, events) => {
  expect(memberEvents(before, after)).toEqual(events)
})
