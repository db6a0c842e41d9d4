import type { ChangeContext } from '../../engine/extension.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { conflict, validationError } from '../../kernel/errors.ts'
import type { Role } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { Member } from '../../schema/member.ts'
import type { User } from '../../schema/user.ts'
import { deletePendingCodes, revokeGrants } from '../oauth/grants/revoke-grants.ts'
import { emitEvents, loadWebhooks } from '../webhooks/emit-events.ts'
import { withdrawInvitations } from './invitation.ts'
import { buildMemberSnapshot, type MemberView, memberEvents, memberView } from './member.ts'

interface MemberRemoval {
  readonly user: User
  readonly member: Member
  /** What the caller calls the member in its input. */
  readonly inputField: 'email' | 'user'
}

/**
 * Takes a member's place away, and at once with it what the member approved, was offered or offered to others in this workspace. The workspace and the
 * member are held for update.
 * @throws CrmError `validation_error` for the last owner
 */
export async function removeMembership(
  tx: Transaction,
  workspaceId: string,
  { user, member, inputField }: MemberRemoval,
  context: ChangeContext,
): Promise<void> {
  const { at } = context
  const unit = inWorkspace(tx, workspaceId)
  const { members } = unit.stores
  const owners = await members.find([
    { field: 'role', is: 'owner' },
    { field: 'removed_at', is: null },
  ])
  if (member.role === 'owner' && owners.length === 1)
    throw validationError({ [inputField]: 'Must not be the last owner of the workspace.' })
  const after = { ...member, removed_at: at, updated_at: at }
  await members.update(after)
  // In the order in which an exchange holds them: the member, the code, the grant.
  await deletePendingCodes(tx, { workspace_id: workspaceId, user_id: member.id })
  await revokeGrants(unit.stores, [{ field: 'user_id', is: member.id }], at)
  await withdrawInvitations(tx, workspaceId, 'user_id', member.id)
  await withdrawInvitations(tx, workspaceId, 'invited_by', member.id)
  await emitMemberEvents({ before: member, after, user }, unit, context)
}

interface MemberChange {
  readonly before: Member | undefined
  readonly after: Member | Invitation
  readonly user: User | undefined
}

/** Puts in the outbox that someone is invited, joins or leaves. */
export async function emitMemberEvents(
  { before, after, user }: MemberChange,
  unit: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  const { role, created_at } = after
  const id = 'user_id' in after ? after.user_id : after.id
  const buildEvents = async () => ({
    events: memberEvents(before, after),
    snapshot: buildMemberSnapshot({ id, role, created_at }, user),
  })
  await emitEvents(await loadWebhooks(unit), buildEvents, unit, context)
}

interface NewMember {
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly password_hash: string | null
}

/** Someone with an account keeps it as it is. @throws CrmError `conflict` for someone who is a member already */
export async function addMemberByEmail(
  tx: Transaction,
  workspaceId: string,
  { name, email, role, password_hash }: NewMember,
  { newId, at }: ChangeContext,
): Promise<MemberView> {
  const address = email.toLowerCase()
  const [existing] = await tx.users.find([{ field: 'email', is: address }])
  const user = existing ?? {
    id: newId(),
    name,
    email: address,
    password_hash,
    workspace_ids: [],
    created_at: at,
    updated_at: at,
  }
  if (!existing) await tx.users.insert(user)
  if (!(await activateMember(tx, workspaceId, user.id, { role, newId, at }))) throw conflict('email')
  return memberView({ id: user.id, role }, user)
}

/** Makes someone with an account a member, again or for the first time. False for who is one already, and stays as it is. */
export async function activateMember(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  { role, newId, at }: ChangeContext & { readonly role: Role },
): Promise<boolean> {
  // The user is held with it, so that nobody joins twice at once.
  const user = await addWorkspaceToUser(tx, userId, workspaceId)
  const unit = inWorkspace(tx, workspaceId)
  const { members } = unit.stores
  const before = await members.getForUpdate(userId)
  if (before?.removed_at === null) return false
  const member: Member = { id: userId, role, removed_at: null, created_at: at, updated_at: at }
  await (before ? members.update(member) : members.insert(member))
  await emitMemberEvents({ before, after: member, user }, unit, { newId, at })
  return true
}

/** So that the workspaces of a user are found without a look into all there are. Gives the user, held for update. */
async function addWorkspaceToUser(
  tx: Transaction,
  userId: string,
  workspaceId: string,
): Promise<User | undefined> {
  const user = await tx.users.getForUpdate(userId)
  if (!user || user.workspace_ids.includes(workspaceId)) return user
  await tx.users.update({ ...user, workspace_ids: [...user.workspace_ids, workspaceId] })
  return user
}
