import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** What deliveries tell of a change, once for all of them. It stays for as long as one of them does. */
export interface Snapshot extends RecordBase {
  readonly updated_at: Instant
  /** The rest of the envelope as JSON, without the brace that opens it. */
  readonly entity: string
}

export const snapshotShape = {
  columns: { entity: 'text' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
