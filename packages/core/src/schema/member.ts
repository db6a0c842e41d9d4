import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Role } from '../kernel/role.ts'

/**
 * A user's membership in a workspace, under the user's id. A removed member's row stays, because records
 * refer to it.
 */
export interface Member extends RecordBase {
  readonly updated_at: Instant
  readonly role: Role
  readonly removed_at: Instant | null
}

export const memberShape = {
  columns: { role: 'text', removed_at: 'instant?' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
