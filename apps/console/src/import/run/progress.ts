import type { RowError } from '../rows/read-rows.ts'

export type Outcome = SavedOutcome | { readonly status: 'refused'; readonly errors: readonly RowError[] }

export interface SavedOutcome {
  readonly status: 'created' | 'updated'
  readonly id: string
  /** True until its note is written. */
  readonly isNotePending: boolean
}

/** What became of the rows of an import, by their numbers. */
export interface Progress {
  readonly outcomes: ReadonlyMap<number, Outcome>
  readonly newCompanies: number
}

export const NO_PROGRESS: Progress = { outcomes: new Map(), newCompanies: 0 }

export interface ProgressCounts {
  readonly created: number
  readonly updated: number
  readonly refused: number
}

export function countOutcomes({ outcomes }: Progress): ProgressCounts {
  const counts = { created: 0, updated: 0, refused: 0 }
  for (const { status } of outcomes.values()) counts[status] += 1
  return counts
}

/** True if a row needs nothing more. */
export function isDone(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && !('isNotePending' in outcome && outcome.isNotePending)
}

/** Forgets the rows that the service refused, so that they are tried again. Without numbers, all of them. */
export function forgetRefused(progress: Progress, rows?: readonly number[]): Progress {
  const outcomes = [...progress.outcomes].filter(
    ([row, { status }]) => status !== 'refused' || (rows !== undefined && !rows.includes(row)),
  )
  return { ...progress, outcomes: new Map(outcomes) }
}
