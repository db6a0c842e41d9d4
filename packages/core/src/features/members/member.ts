import { oneOf } from '../../kernel/field-schemas.ts'
import type { Role } from '../../kernel/role.ts'
import type { EventName } from '../../schema/events.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { Member } from '../../schema/member.ts'

export const roleName = oneOf(['owner', 'admin', 'member'])

/** A current member of a workspace, as `crm.members.list` and `operator.membersOf` return it. */
export interface MemberView {
  /** The user id, the same in every workspace; `owner_user_id` in inputs. */
  readonly id: string
  readonly name: string
  /** In lower case; `owner_email` in inputs. */
  readonly email: string
  readonly role: Role
}

/** What a member has not chosen yet. */
export const NEW_MEMBER_SETTINGS = {
  ...{ language: null, reminder_time: null, notices: {}, calendar_hash: null },
} as const

export function toMemberView(
  { id, role }: Pick<Member, 'id' | 'role'>,
  user: { readonly name: string; readonly email: string } | undefined,
): MemberView {
  return { id, name: user?.name ?? '', email: user?.email ?? '', role }
}

/** Builds the event payload. `created_at` is the time of joining, or of the invitation. */
export function buildMemberSnapshot(
  { id, role, created_at }: Pick<Member, 'id' | 'role' | 'created_at'>,
  user: Parameters<typeof toMemberView>[1],
) {
  return { member: { ...toMemberView({ id, role }, user), created_at } }
}

/** Invitation, joining and removal emit events. A change of role does not. */
export function memberEvents(before: Member | undefined, after: Member | Invitation): readonly EventName[] {
  const wasMember = before !== undefined && before.removed_at === null
  if (!('removed_at' in after)) return wasMember ? [] : ['member_invited']
  const isMember = after.removed_at === null
  if (wasMember === isMember) return []
  return [isMember ? 'member_joined' : 'member_removed']
}
