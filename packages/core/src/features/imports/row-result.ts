import type { RecordBase } from '../../kernel/record.ts'
import type { CellRule } from './cell-rules.ts'
import type { ImportKind } from './columns/import-kind.ts'

/** What one row has written. */
export interface RowResult {
  readonly row: number
  readonly records: readonly WrittenRecord[]
  readonly problems: readonly CellProblem[]
  /** The row of the file, if something was left out. */
  readonly cells?: readonly string[]
}

export interface WrittenRecord {
  readonly kind: ImportKind | 'tags' | 'lists'
  readonly id: string
  readonly action: 'created' | 'updated'
  /** Its `updated_at` after the write: another one means that somebody has changed it since. */
  readonly version: string | null
  /** The columns of an updated record before it. */
  readonly before?: Readonly<Record<string, unknown>>
  /** True if the import may have written it before. */
  readonly isRepeated?: boolean
}

/** Why a value, and with it its record, was left out. */
export interface CellProblem extends CellRule {
  readonly kind: ImportKind
  /** The name of the column, or of the field if it has no column. */
  readonly column: string
  readonly value: string
}

export const KEEP_REASONS = ['changed', 'linked', 'forbidden'] as const
/** Why a reversal has left a record: somebody has changed it, or linked another to it, or the right is missing. */
export type KeepReason = (typeof KEEP_REASONS)[number]

/** A record that a reversal has left. */
export interface KeptRecord extends WrittenRecord {
  readonly number: number
  readonly reason: KeepReason
}

/** Tells whether somebody has changed a record since: its `updated_at`. */
export function versionOf(record: RecordBase | undefined): string | null {
  return (record as { readonly updated_at?: string | null } | undefined)?.updated_at ?? null
}
