import type { Instant, RecordBase } from '../ports.ts'
import { oneOf } from '../records/fields.ts'
import type { EventName } from '../webhooks/event-names.ts'
import type { Invitation } from './invitation.ts'

export type Role = 'owner' | 'admin' | 'member'

export const roleName = oneOf(['owner', 'admin', 'member'])

/** A user's place in a workspace, under the user's id. It stays when the member leaves, since records point to it. */
export interface Member extends RecordBase {
  readonly updated_at: Instant
  readonly role: Role
  readonly removed_at: Instant | null
}

export const memberShape = {
  columns: { role: 'text', removed_at: 'instant?' },
  unique: [],
  neverReused: [],
  refersTo: {},
} as const

export interface MemberView {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}

export function memberView(
  { id, role }: Pick<Member, 'id' | 'role'>,
  user: { readonly name: string; readonly email: string } | undefined,
): MemberView {
  return { id, name: user?.name ?? '', email: user?.email ?? '', role }
}

/** What events carry of someone who belongs to a workspace, did, or is to: since when, or when it was offered. */
export function memberSnapshot(
  { id, role, created_at }: Pick<Member, 'id' | 'role' | 'created_at'>,
  user: Parameters<typeof memberView>[1],
) {
  return { member: { ...memberView({ id, role }, user), created_at } }
}

/** Being invited, joining and leaving are announced; a change of role is not. */
export function memberEvents(before: Member | undefined, after: Member | Invitation): readonly EventName[] {
  const belonged = before !== undefined && before.removed_at === null
  if (!('removed_at' in after)) return belonged ? [] : ['member_invited']
  const belongs = after.removed_at === null
  if (belonged === belongs) return []
  return [belongs ? 'member_joined' : 'member_removed']
}
