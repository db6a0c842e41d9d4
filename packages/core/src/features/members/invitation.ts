import { loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Role } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'

export const INVITATION_PREFIX = 'crm_in_'

/** An open invitation, as `crm.members.invitations` lists it. */
export interface InvitationView {
  readonly id: string
  /** In lower case. */
  readonly email: string
  /** The role after joining. */
  readonly role: Role
  /** Seven days after it was made or renewed. */
  readonly expires_at: Instant
  readonly created_at: Instant
}

export function toInvitationView(
  { id, role, expires_at, created_at }: Invitation,
  email: string,
): InvitationView {
  return { id, email, role, expires_at, created_at }
}

/** Lists the invitations that are neither accepted nor expired, in the order of invitation. */
export async function listOpenInvitations(
  { workspaceId, stores, shared }: WorkspaceTransaction,
  at: Instant,
): Promise<readonly InvitationView[]> {
  const all = await shared.invitations.find([{ field: 'workspace_id', is: workspaceId }])
  const invitations = all.filter(({ expires_at }) => expires_at > at)
  const ids = invitations.map(({ user_id }) => user_id)
  const [users, members] = await Promise.all([
    loadViews(shared.users, ids, ({ email }) => email),
    loadViews(stores.members, ids, ({ removed_at }) => removed_at === null),
  ])
  return invitations
    .filter(({ user_id }) => members.get(user_id) !== true)
    .map((invitation) => toInvitationView(invitation, users.get(invitation.user_id) ?? ''))
}

/** Finds the invitations to a workspace that a user received, or sent. */
export function findInvitations(
  { invitations }: Transaction,
  workspaceId: string,
  userField: 'user_id' | 'invited_by',
  userId: string,
): Promise<readonly Invitation[]> {
  return invitations.find([
    { field: 'workspace_id', is: workspaceId },
    { field: userField, is: userId },
  ])
}

export async function withdrawInvitations(
  tx: Transaction,
  workspaceId: string,
  userField: 'user_id' | 'invited_by',
  userId: string,
): Promise<void> {
  for (const { id } of await findInvitations(tx, workspaceId, userField, userId))
    await tx.invitations.hardDelete(id)
}
