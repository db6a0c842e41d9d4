import type { ChangeContext } from '../../engine/extension.ts'
import { asService, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { type CrmError, conflict, validationError } from '../../kernel/errors.ts'
import type { Role } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'
import type { Member } from '../../schema/member.ts'
import type { User } from '../../schema/user.ts'
import type { MemberView } from '../../schema/views.ts'
import { deletePendingCodes, revokeGrants } from '../oauth/grants/revoke-grants.ts'
import { forgetRemovedMember, leaveTeams } from '../teams/removed-members.ts'
import { dropInaccessible } from '../webhooks/drop-deliveries.ts'
import { emitEvents, loadWebhooks } from '../webhooks/emit-events.ts'
import { withdrawInvitations } from './invitation.ts'
import { buildMemberSnapshot, memberEvents, NEW_MEMBER_SETTINGS, toMemberView } from './member.ts'
import { endReassignment, reassignRecords } from './reassignment.ts'

export interface MemberRemoval {
  readonly user: User
  readonly member: Member
  /** The caller's input field for the member, under which errors are set. */
  readonly inputField: 'email' | 'user' | 'id'
  /** The member who takes over the records; undefined if nobody does. */
  readonly reassignTo?: string | undefined
  /** The member in whose name the records are changed. */
  readonly actingUserId: string
}

/**
 * Removes a member, revokes their grants in the workspace, and deletes their pending authorization codes and
 * the invitations to and by them. The caller has locked the workspace and the member for update.
 * @throws CrmError `validation_error` for the last owner
 */
export async function removeMembership(
  tx: Transaction,
  workspaceId: string,
  { user, member, inputField, reassignTo, actingUserId }: MemberRemoval,
  context: ChangeContext,
): Promise<void> {
  const { at } = context
  const transaction = asService(tx, workspaceId)
  const { members } = transaction.stores
  await requireOtherOwner(member, transaction, inputField)
  const after = { ...member, removed_at: at, updated_at: at }
  await members.update(after)
  // The lock order of a code exchange: member, code, grant.
  await deletePendingCodes(tx, { workspace_id: workspaceId, user_id: member.id })
  await revokeGrants(transaction.stores, [{ field: 'user_id', is: member.id }], at)
  await dropInaccessible(transaction.stores, [CONSOLE_CLIENT_ID], at)
  await withdrawInvitations(tx, workspaceId, 'user_id', member.id)
  await withdrawInvitations(tx, workspaceId, 'invited_by', member.id)
  await leaveTeams(member.id, transaction, context)
  await reassignRecords({ memberId: member.id, reassignTo, actingUserId }, transaction, context)
  await emitMemberEvents({ before: member, after, user }, transaction, context)
}

/** @throws CrmError `validation_error` for the last owner, who must not be removed or lose the role */
export async function requireOtherOwner(
  { role }: Member,
  { stores }: WorkspaceTransaction,
  inputField: string,
): Promise<void> {
  if (role !== 'owner') return
  const owners = await stores.members.find([
    { field: 'role', is: 'owner' },
    { field: 'removed_at', is: null },
  ])
  if (owners.length === 1)
    throw validationError({ [inputField]: 'Must not be the last owner of the workspace.' })
}

interface MemberChange {
  readonly before: Member | undefined
  readonly after: Member | Invitation
  readonly user: User | undefined
}

export async function emitMemberEvents(
  { before, after, user }: MemberChange,
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  const { role, created_at } = after
  const id = 'user_id' in after ? after.user_id : after.id
  const buildEvents = async () => ({
    events: memberEvents(before, after),
    snapshot: buildMemberSnapshot({ id, role, created_at }, user),
  })
  await emitEvents(await loadWebhooks(transaction), buildEvents, transaction, context)
}

interface NewMember {
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly password_hash: string | null
}

/**
 * Adds a user by e-mail address. An existing user keeps name and password.
 * @throws CrmError `conflict` for a current member, `validation_error` for an unverified account of another workspace
 */
export async function addMemberByEmail(
  tx: Transaction,
  workspaceId: string,
  { name, email, role, password_hash }: NewMember,
  { newId, at }: ChangeContext,
): Promise<MemberView> {
  const address = email.toLowerCase()
  const [existingUser] = await tx.users.find([{ field: 'email', is: address }])
  const user = existingUser ?? {
    id: newId(),
    name,
    email: address,
    password_hash,
    email_verified_at: at,
    workspace_ids: [],
    created_at: at,
    updated_at: at,
  }
  if (!existingUser) await tx.users.insert(user)
  if (isUnverifiedElsewhere(user, workspaceId)) throw unverifiedAccountError()
  if (!(await activateMember(tx, workspaceId, user.id, { role, newId, at }))) throw conflict('email')
  return toMemberView({ id: user.id, role }, user)
}

/** An account that was made by a link that another workspace passed on: nobody has shown that the address is theirs. */
export function isUnverifiedElsewhere(
  { email_verified_at, workspace_ids }: Pick<User, 'email_verified_at' | 'workspace_ids'>,
  workspaceId: string,
): boolean {
  return email_verified_at === null && workspace_ids.some((id) => id !== workspaceId)
}

export const UNVERIFIED_ACCOUNT =
  'The account of this address is not verified. Its user must request a new password by e-mail first.'

export function unverifiedAccountError(): CrmError {
  return validationError({ email: UNVERIFIED_ACCOUNT })
}

/** Adds or restores a member. Returns false for a current member, who is not changed. */
export async function activateMember(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  { role, newId, at }: ChangeContext & { readonly role: Role },
): Promise<boolean> {
  // Locks the user, which serializes concurrent joins.
  const user = await addWorkspaceToUser(tx, userId, workspaceId)
  const transaction = asService(tx, workspaceId)
  const { members } = transaction.stores
  const before = await members.getForUpdate(userId)
  if (before?.removed_at === null) return false
  const member: Member = {
    ...{ id: userId, role, removed_at: null, has_joined: true, ...NEW_MEMBER_SETTINGS },
    ...{ created_at: at, updated_at: at },
  }
  await (before ? members.update(member) : members.insert(member))
  if (before) {
    await endReassignment(userId, transaction, at)
    await forgetRemovedMember(userId, transaction, { newId, at })
  }
  await emitMemberEvents({ before, after: member, user }, transaction, { newId, at })
  return true
}

/**
 * Adds the workspace to the user's list, by which memberships are found without reading every workspace.
 * Returns the user, locked for update.
 */
export async function addWorkspaceToUser(
  tx: Transaction,
  userId: string,
  workspaceId: string,
): Promise<User | undefined> {
  const user = await tx.users.getForUpdate(userId)
  if (!user || user.workspace_ids.includes(workspaceId)) return user
  await tx.users.update({ ...user, workspace_ids: [...user.workspace_ids, workspaceId] })
  return user
}
