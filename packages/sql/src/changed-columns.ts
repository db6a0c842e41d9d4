import type { Stored } from './record-statements.ts'

/** A statement is kept for each set of columns that is told apart: every small one, and the first larger ones that come. */
const SMALL = 4
const LARGER = 30

/** The columns that differ, since a database checks and indexes anew what it is told to write; `undefined` for all. */
export function changedColumns(): (record: Stored, before: Stored) => string[] | undefined {
  const larger = new Set<string>()
  return (record, before) => {
    const changed = Object.keys(record).filter((column) => record[column] !== before[column])
    if (changed.length === 0) return undefined
    if (changed.length <= SMALL) return changed
    const set = changed.join(' ')
    if (larger.size < LARGER) larger.add(set)
    return larger.has(set) ? changed : undefined
  }
}
