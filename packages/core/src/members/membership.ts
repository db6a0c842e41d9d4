import type * as v from 'valibot'
import { password, type User, userName } from '../accounts/user.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { dropCodes, revokeGrants } from '../oauth/revoke-grants.ts'
import type { Ports, Transaction } from '../ports.ts'
import { email, object, optional } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { emit, type Stamp, subscribersOf } from '../webhooks/emit.ts'
import { slug, workspaceBySlug } from '../workspaces/workspace.ts'
import { type Invitation, withdrawAll } from './invitation.ts'
import { type Member, type MemberView, memberEvents, memberSnapshot, memberView, type Role, roleName } from './member.ts'

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
  const { storage, now, newId } = ports
  const asked = validate(object({ workspace: slug, email }), input)
  return storage.transact(async (tx) => {
    const workspace = await workspaceBySlug(tx, asked.workspace)
    await tx.workspaces.getForUpdate(workspace.id)
    const { user, member } = await memberNamed(tx, workspace.id, asked.email, 'getForUpdate')
    await leave(tx, workspace.id, { user, member, named: 'email' }, { newId, at: now() })
    return memberView(member, user)
  })
}

interface Leaving {
  readonly user: User
  readonly member: Member
  /** What the caller calls the member in its input. */
  readonly named: 'email' | 'user'
}

/**
 * Takes a member's place away, and at once with it what the member approved, was offered or offered to others in this workspace. The workspace and the
 * member are held for update.
 * @throws CrmError `validation_error` for the last owner
 */
export async function leave(tx: Transaction, workspaceId: string, { user, member, named }: Leaving, stamp: Stamp): Promise<void> {
  const { at } = stamp
  const unit = unitOf(tx, workspaceId)
  const { members } = unit.stores
  const owners = await members.find([
    { field: 'role', is: 'owner' },
    { field: 'removed_at', is: null },
  ])
  if (member.role === 'owner' && owners.length === 1) throw invalid({ [named]: 'Must not be the last owner of the workspace.' })
  const after = { ...member, removed_at: at, updated_at: at }
  await members.update(after)
  // In the order in which an exchange holds them: the member, the code, the grant.
  await dropCodes(tx, { workspace_id: workspaceId, user_id: member.id })
  await revokeGrants(unit.stores, [{ field: 'user_id', is: member.id }], at)
  await withdrawAll(tx, workspaceId, 'user_id', member.id)
  await withdrawAll(tx, workspaceId, 'invited_by', member.id)
  await tellOfMember({ before: member, after, user }, unit, stamp)
}

interface MemberChange {
  readonly before: Member | undefined
  readonly after: Member | Invitation
  readonly user: User | undefined
}

/** Puts in the outbox that someone is invited, joins or leaves. */
export async function tellOfMember({ before, after, user }: MemberChange, unit: Unit, stamp: Stamp): Promise<void> {
  const { role, created_at } = after
  const id = 'user_id' in after ? after.user_id : after.id
  const told = async () => ({ events: memberEvents(before, after), snapshot: memberSnapshot({ id, role, created_at }, user) })
  await emit(await subscribersOf(unit), told, unit, stamp)
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
  { newId, at }: Stamp,
): Promise<MemberView> {
  const address = email.toLowerCase()
  const [known] = await tx.users.find([{ field: 'email', is: address }])
  const user = known ?? { id: newId(), name, email: address, password_hash, workspace_ids: [], created_at: at, updated_at: at }
  if (!known) await tx.users.insert(user)
  if (!(await takePlace(tx, workspaceId, user.id, { role, newId, at }))) throw conflict('email')
  return memberView({ id: user.id, role }, user)
}

/** Makes someone with an account a member, again or for the first time. False for who is one already, and stays as it is. */
export async function takePlace(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  { role, newId, at }: Stamp & { readonly role: Role },
): Promise<boolean> {
  // The user is held with it, so that nobody joins twice at once.
  const user = await noteWorkspace(tx, userId, workspaceId)
  const unit = unitOf(tx, workspaceId)
  const { members } = unit.stores
  const before = await members.getForUpdate(userId)
  if (before?.removed_at === null) return false
  const member: Member = { id: userId, role, removed_at: null, created_at: at, updated_at: at }
  await (before ? members.update(member) : members.insert(member))
  await tellOfMember({ before, after: member, user }, unit, { newId, at })
  return true
}

/** So that the workspaces of a user are found without a look into all there are. Gives the user, held for update. */
async function noteWorkspace(tx: Transaction, userId: string, workspaceId: string): Promise<User | undefined> {
  const user = await tx.users.getForUpdate(userId)
  if (!user || user.workspace_ids.includes(workspaceId)) return user
  await tx.users.update({ ...user, workspace_ids: [...user.workspace_ids, workspaceId] })
  return user
}
