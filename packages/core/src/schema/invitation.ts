import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Role } from '../kernel/role.ts'

/** An invitation to a workspace. It is deleted when it is accepted or withdrawn. */
export interface Invitation extends RecordBase {
  readonly updated_at: Instant
  readonly workspace_id: string
  readonly user_id: string
  readonly role: Role
  /** The inviting user. Removing that member withdraws the invitation. */
  readonly invited_by: string
  /** False for a link that the inviter passes on. */
  readonly is_mailed: boolean
  readonly token_hash: string
  readonly expires_at: Instant
}

export const invitationShape = {
  columns: {
    workspace_id: 'uuid',
    user_id: 'uuid',
    role: 'text',
    invited_by: 'uuid',
    is_mailed: 'boolean',
    token_hash: 'text',
    expires_at: 'instant',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
