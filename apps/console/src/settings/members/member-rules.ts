import type { Me, MemberListItem } from '@sales-crm/client'
import { mayManage } from '@sales-crm/core/browser'

export type Role = MemberListItem['role']

type Manager = Pick<Me, 'id' | 'role'>
type Person = Pick<MemberListItem, 'id' | 'role'>

const ROLES: readonly Role[] = ['owner', 'admin', 'member']

/** The roles that somebody may give to a member: none to oneself, and that of an owner only as an owner. */
export function listAssignableRoles(me: Manager, member: Person): readonly Role[] {
  return member.id === me.id ? [] : ROLES.filter((role) => mayManage(me.role, member.role, role))
}

/** The roles that somebody may invite to. */
export function listInvitableRoles({ role }: Pick<Me, 'role'>): readonly Role[] {
  return ROLES.toReversed().filter((each) => mayManage(role, each))
}

/** True for a role with fewer rights: what only the former one may have ends with the change. */
export function isDemotion(before: Role, role: Role): boolean {
  return ROLES.indexOf(role) > ROLES.indexOf(before)
}

/** Everybody may leave, except the last owner. */
export function canRemove(me: Manager, member: Person, members: readonly Person[]): boolean {
  const isLastOwner = member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1
  if (isLastOwner) return false
  return member.id === me.id || listAssignableRoles(me, member).length > 0
}

/** The addresses in a text, which may be a pasted list, each once. */
export function splitAddresses(text: string): readonly string[] {
  const addresses = text
    .split(/[\s,;<>]+/)
    .map((each) => each.trim())
    .filter((each) => each.includes('@'))
  return [...new Map(addresses.map((each) => [each.toLowerCase(), each])).values()]
}
