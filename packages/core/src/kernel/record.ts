import type { Instant } from './instant.ts'

/** The fields of every record. Records are immutable values: a store returns equal ones. */
export interface RecordBase {
  /** A UUID in lower case. Arguments named `id` are too. */
  readonly id: string
  /** When the record was created. The default order of lists. */
  readonly created_at: Instant
  /** Null only for kinds whose contract says so. */
  readonly updated_at: Instant | null
}
