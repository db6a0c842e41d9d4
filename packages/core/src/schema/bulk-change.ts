import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { FilteredKind } from './saved-view.ts'

export const BULK_STATES = ['running', 'stopped', 'done', 'reverting', 'reverted'] as const

export type BulkState = (typeof BULK_STATES)[number]

/** One change of all records that matched when it began. A `Run` makes it, another one takes it back. */
export interface BulkChange extends RecordBase {
  readonly updated_at: Instant
  readonly workspace_id: string
  /** The member in whose name records are changed. */
  readonly user_id: string
  readonly kind: FilteredKind
  /** As `bulkInput` has it. */
  readonly change: Readonly<Record<string, unknown>>
  /** Number of records. */
  readonly total: number
  /** When it is deleted, with what is needed to take it back. */
  readonly expires_at: Instant
}

export const bulkChangeShape = {
  columns: {
    workspace_id: 'uuid',
    user_id: 'uuid',
    kind: 'text',
    change: 'json',
    total: 'integer',
    expires_at: 'instant',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** Some of the records of a bulk change: their ids, or what became of them. */
export interface BulkPart extends RecordBase {
  readonly updated_at: Instant
  /** As `bulkPartKey` builds it. */
  readonly key: string
  readonly content: readonly object[] | readonly string[]
}

export const bulkPartShape = {
  columns: { key: 'text', content: 'json' },
  unique: ['key'],
  uniqueForever: [],
  foreignKeys: {},
} as const

/** `ids` to change, `results` of a step, and one record that `change` or `reversal` has left. */
export type BulkPartName = 'ids' | 'results' | 'change' | 'reversal'

/** The key of a part, from 0. */
export function bulkPartKey(bulkChangeId: string, name: BulkPartName, number: number): string {
  return `${bulkChangeId}/${name}/${number}`
}
