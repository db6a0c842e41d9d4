import type { Corrections, RowFault } from './read-rows.ts'

/** The rows that cannot be brought in for the same reason. */
export interface Problem {
  readonly id: string
  readonly column: number | undefined
  readonly reason: RowFault['reason']
  /** The texts that are wrong, each once. */
  readonly texts: readonly string[]
  readonly rows: readonly number[]
}

interface FaultyRow {
  readonly number: number
  readonly faults: readonly RowFault[]
}

/** Groups faults by column and reason, the most frequent first. */
export function groupProblems(rows: Iterable<FaultyRow>): readonly Problem[] {
  const groups = new Map<string, { fault: RowFault; texts: Set<string>; rows: Set<number> }>()
  for (const { number, faults } of rows)
    for (const fault of faults) {
      const id = `${fault.column ?? ''} ${reasonText(fault.reason)}`
      const group = groups.get(id) ?? { fault, texts: new Set(), rows: new Set() }
      groups.set(id, group)
      if (fault.text !== '') group.texts.add(fault.text)
      group.rows.add(number)
    }
  return [...groups]
    .map(([id, { fault, texts, rows }]) => ({
      id,
      column: fault.column,
      reason: fault.reason,
      texts: [...texts],
      rows: [...rows],
    }))
    .sort((a, b) => b.rows.length - a.rows.length)
}

function reasonText(reason: RowFault['reason']): string {
  return typeof reason === 'string' ? reason : reason.message
}

/** Puts one text in place of all that a problem names. Empty leaves them out. */
export function correctProblem(
  corrections: Corrections,
  { column, texts }: Problem,
  text: string,
): Corrections {
  if (column === undefined) return corrections
  const ofColumn = new Map(corrections.get(column))
  for (const [from, to] of ofColumn) if (texts.includes(to)) ofColumn.set(from, text)
  for (const each of texts) ofColumn.set(each, text)
  return new Map(corrections).set(column, ofColumn)
}
