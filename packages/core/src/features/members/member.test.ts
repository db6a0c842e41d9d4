import { expect, test } from 'vitest'
import type { Invitation } from '../../schema/invitation.ts'
import type { Member } from '../../schema/member.ts'
import { memberEvents } from './member.ts'

const AT = '2026-03-01T12:00:00.000Z'
const stamp = { id: '1', created_at: AT, updated_at: AT }
const here: Member = { ...stamp, role: 'member', removed_at: null }
const gone: Member = { ...here, removed_at: AT }
const invited: Invitation = {
  ...stamp,
  workspace_id: '2',
  user_id: '1',
  role: 'member',
  invited_by: '0198c0de-0000-7000-8000-00000000000f',
  token_hash: '',
  expires_at: AT,
}

test.each([
  ['is invited', undefined, invited, ['member_invited']],
  ['is invited back', gone, invited, ['member_invited']],
  ['accepts', undefined, here, ['member_joined']],
  ['joins again', gone, here, ['member_joined']],
  ['leaves', here, gone, ['member_removed']],
])('someone who %s causes the right event', (_, before, after, events) => {
  expect(memberEvents(before, after)).toEqual(events)
})
