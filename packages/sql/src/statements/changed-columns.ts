import type { StoredRecord } from './table-shape.ts'

/**
 * A statement is kept for each set of columns that is told apart: every small one, and the first larger ones
 * that come.
 */
const SMALL_SET = 4
const MAX_LARGE_SETS = 30

/**
 * The columns that differ, since a database checks and indexes anew what it is told to write; `undefined` for
 * all.
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
