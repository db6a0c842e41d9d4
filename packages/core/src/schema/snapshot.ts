import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** The payload that the deliveries of one change share. It is deleted after the last of them. */
export interface Snapshot extends RecordBase {
  readonly updated_at: Instant
  /** The rest of the envelope as JSON, without the opening brace. */
  readonly entity: string
}

export const snapshotShape = {
  columns: { entity: 'text' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
