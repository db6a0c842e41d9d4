import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** An account, for any number of workspaces. */
export interface User extends RecordBase {
  readonly updated_at: Instant
  /** Lower case. */
  readonly email: string
  readonly name: string
  /** Null until the user sets a password. */
  readonly password_hash: string | null
  /** When the user followed a mailed link, or an operator vouched for the address; null until then. */
  readonly email_verified_at: Instant | null
  /** Workspaces that the user is or was a member of; the member row tells which. */
  readonly workspace_ids: readonly string[]
}

export const userShape = {
  columns: {
    email: 'text',
    name: 'text',
    password_hash: 'text?',
    email_verified_at: 'instant?',
    workspace_ids: 'json',
  },
  unique: ['email'],
  uniqueForever: [],
  foreignKeys: {},
} as const
