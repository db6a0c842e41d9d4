import type * as v from 'valibot'
import { password, userName } from '../accounts/user.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { dropCodes, revokeGrants } from '../oauth/revoke-grants.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { email, object, optional } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { slug, workspaceBySlug } from '../workspaces/workspace.ts'
import { withdrawAll } from './invitation.ts'
import { type Member, type MemberView, memberView, type Role, roleName } from './member.ts'

const memberInput = object({
  workspace: slug,
  name: userName,
  email,
  role: roleName,
  ...optional({ password }),
})

/** @throws CrmError `not_found`, `conflict` for someone who is a member already */
export async function addMember(ports: Ports, input: v.InferInput<typeof memberInput>): Promise<MemberView> {
  const { storage, now, newId, passwords } = ports
  const asked = validate(memberInput, input)
  const password_hash = asked.password == null ? null : await passwords.hash(asked.password)
  return storage.transact(async (tx) => {
    const workspace = await workspaceBySlug(tx, asked.workspace)
    return join(tx, workspace.id, { name: asked.name, email: asked.email, role: asked.role, password_hash }, { newId, at: now() })
  })
}

/** @throws CrmError `not_found`, `validation_error` for the last owner */
export async function removeMember(ports: Ports, input: { readonly workspace: string; readonly email: string }): Promise<MemberView> {
  const { storage, now } = ports
  const asked = validate(object({ workspace: slug, email }), input)
  return storage.transact(async (tx) => {
    const workspace = await workspaceBySlug(tx, asked.workspace)
    await tx.workspaces.getForUpdate(workspace.id)
    const { user, member } = await memberNamed(tx, workspace.id, asked.email, 'getForUpdate')
    await leave(tx, workspace.id, member, { named: 'email', at: now() })
    return memberView(member, user)
  })
}

/**
 * Takes a member's place away, and at once with it what the member approved, was offered or offered to others in this workspace. The workspace and the
 * member are held for update.
 * @param named what the caller calls the member in its input
 * @throws CrmError `validation_error` for the last owner
 */
export async function leave(
  tx: Transaction,
  workspaceId: string,
  member: Member,
  { named, at }: { readonly named: 'email' | 'user'; readonly at: Instant },
): Promise<void> {
  const { members, grants } = tx.workspace(workspaceId)
  const owners = await members.find([
    { field: 'role', is: 'owner' },
    { field: 'removed_at', is: null },
  ])
  if (member.role === 'owner' && owners.length === 1) throw invalid({ [named]: 'Must not be the last owner of the workspace.' })
  await members.update({ ...member, removed_at: at, updated_at: at })
  // In the order in which an exchange holds them: the member, the code, the grant.
  await dropCodes(tx, { workspace_id: workspaceId, user_id: member.id })
  await revokeGrants(grants, [{ field: 'user_id', is: member.id }], at)
  await withdrawAll(tx, workspaceId, 'user_id', member.id)
  await withdrawAll(tx, workspaceId, 'invited_by', member.id)
}

/** The account with this e-mail address, and its place in the workspace. @throws CrmError `not_found` */
export async function memberNamed(tx: Transaction, workspaceId: string, address: string, how: 'get' | 'getForShare' | 'getForUpdate') {
  const [user] = await tx.users.find([{ field: 'email', is: address.toLowerCase() }])
  // As an invitation is accepted: the user is held before the member.
  if (user && how === 'getForUpdate') await tx.users.getForUpdate(user.id)
  const member = user && (await tx.workspace(workspaceId).members[how](user.id))
  if (!member || member.removed_at !== null) throw notFound('Member')
  return { user, member }
}

interface Joining {
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly password_hash: string | null
}

/** Someone with an account keeps it as it is. @throws CrmError `conflict` for someone who is a member already */
export async function join(
  tx: Transaction,
  workspaceId: string,
  { name, email, role, password_hash }: Joining,
  { newId, at }: { newId: () => string; at: Instant },
): Promise<MemberView> {
  const address = email.toLowerCase()
  const [known] = await tx.users.find([{ field: 'email', is: address }])
  const user = known ?? { id: newId(), name, email: address, password_hash, workspace_ids: [], created_at: at, updated_at: at }
  if (!known) await tx.users.insert(user)
  if (!(await takePlace(tx, workspaceId, user.id, { role, at }))) throw conflict('email')
  return memberView({ id: user.id, role }, user)
}

/** Makes someone with an account a member, again or for the first time. False for who is one already, and stays as it is. */
export async function takePlace(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  { role, at }: { readonly role: Role; readonly at: Instant },
): Promise<boolean> {
  // The user is held with it, so that nobody joins twice at once.
  await noteWorkspace(tx, userId, workspaceId)
  const { members } = tx.workspace(workspaceId)
  const before = await members.getForUpdate(userId)
  if (before?.removed_at === null) return false
  const member: Member = { id: userId, role, removed_at: null, created_at: at, updated_at: at }
  await (before ? members.update(member) : members.insert(member))
  return true
}

/** So that the workspaces of a user are found without a look into all there are. */
async function noteWorkspace(tx: Transaction, userId: string, workspaceId: string): Promise<void> {
  const user = await tx.users.getForUpdate(userId)
  if (!user || user.workspace_ids.includes(workspaceId)) return
  await tx.users.update({ ...user, workspace_ids: [...user.workspace_ids, workspaceId] })
}
