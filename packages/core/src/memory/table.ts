import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export type Row = RecordBase & Readonly<Record<string, unknown>>

export interface StoredRow {
  readonly row: Row
  readonly deletedAt: Instant | null
}

/** The rows of one collection, and the owner of each unique value. */
export interface Table {
  readonly rows: Map<string, StoredRow>
  readonly holders: ReadonlyMap<string, Map<unknown, string>>
}

/** The tables of a workspace, or the shared ones, by collection. */
export type Tables = Map<string, Table>

export function createTable(uniqueFields: readonly string[]): Table {
  return { rows: new Map(), holders: new Map(uniqueFields.map((field) => [field, new Map()])) }
}
