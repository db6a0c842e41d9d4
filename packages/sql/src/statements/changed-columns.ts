import type { StoredRecord } from './table-shape.ts'

/** A record with more changed columns is written whole, which bounds the number of update statements. */
const MAX_CHANGED_COLUMNS = 4

/**
 * The columns that differ, because a database checks and indexes every column that is written; `undefined`
 * for all columns.
 */
export function changedColumns(record: StoredRecord, before: StoredRecord): string[] | undefined {
  const changed = Object.keys(record).filter((column) => record[column] !== before[column])
  return changed.length === 0 || changed.length > MAX_CHANGED_COLUMNS ? undefined : changed
}
