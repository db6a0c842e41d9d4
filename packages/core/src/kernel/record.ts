import type { Instant } from './instant.ts'

/** What every record has. Records are plain values: a store gives back an equal value, never the same one changed. */
export interface RecordBase {
  /** A lower-case UUID. Where an id is asked for, no call brings other text. */
  readonly id: string
  readonly created_at: Instant
  /** Null only for kinds whose contract says nullable. */
  readonly updated_at: Instant | null
}
