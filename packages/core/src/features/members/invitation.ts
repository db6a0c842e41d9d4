import type { Transaction } from '../../ports/storage.ts'
import type { Invitation } from '../../schema/invitation.ts'

export const INVITATION_PREFIX = 'crm_in_'

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
