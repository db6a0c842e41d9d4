import type { ImportProgress, RecordCounts } from '../import-record.ts'
import type { RowOutcome } from './row-state.ts'

type Counts = Pick<ImportProgress, 'counts' | 'rows_with_problems'>

const NO_COUNTS: RecordCounts = { created: 0, updated: 0, unchanged: 0, left_out: 0 }

/** Adds what rows became to the counts of those before them. */
export function countOutcomes(before: Counts, outcomes: readonly RowOutcome[]): Counts {
  const counts: Record<string, RecordCounts> = { ...before.counts }
  for (const { kind, action } of outcomes.flatMap(({ records }) => records)) {
    const current = counts[kind] ?? NO_COUNTS
    counts[kind] = { ...current, [action]: current[action] + 1 }
  }
  const withProblems = outcomes.filter(({ problems }) => problems.length > 0).length
  return { counts, rows_with_problems: before.rows_with_problems + withProblems }
}
