import type { StoredRecord } from './table-shape.ts'

/** Number of column sets with an update statement of their own: all small sets, and the first larger ones. */
const SMALL_SET = 4
const MAX_LARGE_SETS = 30

/**
 * The columns that differ, because a database checks and indexes every column that is written; `undefined`
 * for all columns.
 */
export function createColumnDiff(): (record: StoredRecord, before: StoredRecord) => string[] | undefined {
  const largeSets = new Set<string>()
  return (record, before) => {
    const changed = Object.keys(record).filter((column) => record[column] !== before[column])
    if (changed.length === 0) return undefined
    if (changed.length <= SMALL_SET) return changed
    const key = changed.join(' ')
    if (largeSets.size < MAX_LARGE_SETS) largeSets.add(key)
    return largeSets.has(key) ? changed : undefined
  }
}
