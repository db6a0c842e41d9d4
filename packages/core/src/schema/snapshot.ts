import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** The payload that the deliveries of one change share. It is deleted after the last of them. */
export interface Snapshot extends RecordBase {
  readonly updated_at: Instant
  /** The rest of the envelope as JSON, without the opening brace. */
  readonly entity: string
  /** The record, which not everybody may see; null for one that all see. */
  readonly subject: Subject | null
}

/** A record that an event is of. */
export interface Subject {
  readonly collection: string
  /** The columns that decide who sees it, as they were at the event: they count once it is deleted. */
  readonly record: RecordBase & Readonly<Record<string, unknown>>
}

export const snapshotShape = {
  columns: { entity: 'text', subject: 'json?' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
