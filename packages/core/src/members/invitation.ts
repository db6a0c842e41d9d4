import type { Instant, RecordBase, Transaction } from '../ports.ts'
import type { Role } from './member.ts'

export const INVITATION_PREFIX = 'crm_in_'

/** A place in a workspace that was offered to a user by mail. Accepted or withdrawn, it is erased. */
export interface Invitation extends RecordBase {
  readonly updated_at: Instant
  readonly workspace_id: string
  readonly user_id: string
  readonly role: Role
  readonly token_hash: string
  readonly expires_at: Instant
}

export const invitationShape = {
  columns: { workspace_id: 'uuid', user_id: 'uuid', role: 'text', token_hash: 'text', expires_at: 'instant' },
  unique: [],
  neverReused: [],
  refersTo: {},
} as const

/** Takes back what a user was offered in a workspace. */
export async function withdrawAll({ invitations }: Transaction, workspaceId: string, userId: string): Promise<void> {
  const offered = await invitations.find([
    { field: 'workspace_id', is: workspaceId },
    { field: 'user_id', is: userId },
  ])
  for (const { id } of offered) await invitations.erase(id)
}
