import type { Instant, RecordBase } from '../ports.ts'

export type Row = RecordBase & Readonly<Record<string, unknown>>

export interface Kept {
  readonly row: Row
  readonly deletedAt: Instant | null
}

/** The rows of one collection, and who holds each value that must not be shared. */
export interface Table {
  readonly rows: Map<string, Kept>
  readonly holders: ReadonlyMap<string, Map<unknown, string>>
}

export function table(distinctFields: readonly string[]): Table {
  return { rows: new Map(), holders: new Map(distinctFields.map((field) => [field, new Map()])) }
}
