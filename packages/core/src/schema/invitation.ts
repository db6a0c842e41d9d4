import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Role } from '../kernel/role.ts'

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
