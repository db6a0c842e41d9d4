import { useMemo } from 'preact/hooks'
import type { ImportKind } from './can-import.ts'
import { listTargets, type Target } from './columns/target.ts'
import { groupProblems, type Problem } from './rows/problem.ts'
import { type RowReading, readRows } from './rows/read-rows.ts'
import { createReadingContext, type ReadingContext, type WorkspaceNames } from './rows/reading-context.ts'
import type { ImportSettings } from './saved/saved-import.ts'
import type { Sheet } from './sheet/sheet.ts'

/** The rows of a file as the records that they become. */
export interface Reading {
  readonly targets: readonly Target[]
  /** What each column becomes. */
  readonly columns: readonly (Target | undefined)[]
  readonly context: ReadingContext
  readonly readings: readonly RowReading[]
  /** What the browser knows to be wrong. */
  readonly problems: readonly Problem[]
}

/** Reads the rows again when their columns, their corrections or the names of the workspace change. */
export function useReading(
  kind: ImportKind,
  { rows }: Sheet,
  { targets: chosen, corrections }: Pick<ImportSettings, 'targets' | 'corrections'>,
  names: WorkspaceNames,
): Reading {
  const targets = useMemo(() => listTargets(kind, names.fields), [kind, names.fields])
  const columns = useMemo(
    () => chosen.map((id) => targets.find((target) => target.id === id)),
    [chosen, targets],
  )
  const context = useMemo(() => createReadingContext(names, columns, rows), [names, columns, rows])
  const readings = useMemo(
    () => readRows(rows, columns, context, corrections),
    [rows, columns, context, corrections],
  )
  const problems = useMemo(
    () => groupProblems(readings.map(({ row, errors }) => ({ number: row.number, errors }))),
    [readings],
  )
  return { targets, columns, context, readings, problems }
}
