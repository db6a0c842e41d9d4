import type { Instant, RecordBase, Transaction } from '../../ports/index.ts'
import type { Role } from './member.ts'

export const INVITATION_PREFIX = 'crm_in_'

/** A place in a workspace that was offered to a user by mail. Accepted or withdrawn, it is erased. */
export interface Invitation extends RecordBase {
  readonly updated_at: Instant
  readonly workspace_id: string
  readonly user_id: string
  readonly role: Role
  /** A user. What someone who left the workspace has offered is withdrawn. */
  readonly invited_by: string
  readonly token_hash: string
  readonly expires_at: Instant
}

export const invitationShape = {
  columns: {
    workspace_id: 'uuid',
    user_id: 'uuid',
    role: 'text',
    invited_by: 'uuid',
    token_hash: 'text',
    expires_at: 'instant',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** What is offered in a workspace, to a user or by one. */
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

/** Takes all of it back. */
export async function withdrawInvitations(
  tx: Transaction,
  workspaceId: string,
  userField: 'user_id' | 'invited_by',
  userId: string,
): Promise<void> {
  for (const { id } of await findInvitations(tx, workspaceId, userField, userId))
    await tx.invitations.hardDelete(id)
}
