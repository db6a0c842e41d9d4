import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'

export const INVITATION_PREFIX = 'crm_in_'

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
