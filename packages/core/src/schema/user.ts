import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** One account, whatever number of workspaces it belongs to. */
export interface User extends RecordBase {
  readonly updated_at: Instant
  /** Lower case. */
  readonly email: string
  readonly name: string
  /** Null until the user sets one. */
  readonly password_hash: string | null
  /** Every workspace the user is or was a member of. Whether it still is, the member says. */
  readonly workspace_ids: readonly string[]
}

export const userShape = {
  columns: { email: 'text', name: 'text', password_hash: 'text?', workspace_ids: 'json' },
  unique: ['email'],
  uniqueForever: [],
  foreignKeys: {},
} as const
