import type { Corrections, RowError } from './read-rows.ts'

/** The rows that cannot be brought in for the same reason. */
export interface Problem {
  readonly id: string
  readonly column: number | undefined
  readonly reason: RowError['reason']
  /** The texts that are wrong, each once. */
  readonly texts: readonly string[]
  readonly rows: readonly number[]
}

interface InvalidRow {
  readonly number: number
  readonly errors: readonly RowError[]
}

/** Groups errors by column and reason, the most frequent first. */
export function groupProblems(rows: Iterable<InvalidRow>): readonly Problem[] {
  const groups = new Map<string, { error: RowError; texts: Set<string>; rows: Set<number> }>()
  for (const { number, errors } of rows)
    for (const error of errors) {
      const id = `${error.column ?? ''} ${reasonText(error.reason)}`
      const group = groups.get(id) ?? { error, texts: new Set(), rows: new Set() }
      groups.set(id, group)
      if (error.text !== '') group.texts.add(error.text)
      group.rows.add(number)
    }
  return [...groups]
    .map(([id, { error, texts, rows }]) => ({
      id,
      column: error.column,
      reason: error.reason,
      texts: [...texts],
      rows: [...rows],
    }))
    .sort((a, b) => b.rows.length - a.rows.length)
}

function reasonText(reason: RowError['reason']): string {
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
