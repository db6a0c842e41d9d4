import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** Long work on the records of a workspace that goes on in the background, in short transactions. */
export interface Run extends RecordBase {
  readonly updated_at: Instant
  readonly workspace_id: string
  readonly kind: RunKind
  /** The removed member of a `reassignment`, the workspace of a `time_zone_change`, else the bulk change. */
  readonly subject_id: string
  /** As its kind reads it. */
  readonly input: object
  /** The member in whose name records are changed. */
  readonly user_id: string
  /** The last record that was visited; null before the first, and for a run that has steps of its own. */
  readonly position: RunPosition | null
  /** Number of records to visit; null until they are counted. */
  readonly total: number | null
  readonly visited: number
  readonly changed: number
  /** Records that were refused, such as by a rule of the embedding application. They stay as they were. */
  readonly refused: number
  /** When the next records are due; null once the run has ended. */
  readonly due_at: Instant | null
}

export type RunKind = 'reassignment' | 'time_zone_change' | 'bulk_change' | 'bulk_reversal'

/** A place in the passes of a run. Each pass visits one collection in the order of creation. */
export interface RunPosition {
  readonly pass: number
  readonly created_at: Instant
  readonly id: string
}

export const runShape = {
  columns: {
    workspace_id: 'uuid',
    kind: 'text',
    subject_id: 'uuid',
    input: 'json',
    user_id: 'uuid',
    position: 'json?',
    total: 'integer?',
    visited: 'integer',
    changed: 'integer',
    refused: 'integer',
    due_at: 'instant?',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
