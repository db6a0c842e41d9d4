import type { Target } from '../columns/target.ts'
import type { SheetRow } from '../sheet/sheet.ts'
import { type Draft, mergeDrafts } from './draft.ts'
import { joinName } from './person-name.ts'
import { type CellError, readCell } from './read-cell.ts'
import type { ReadingContext } from './reading-context.ts'

/** Why a row cannot be brought in: a rule that the browser knows, or the words of the service. */
export interface RowError {
  /** Undefined if it is about no column. */
  readonly column: number | undefined
  readonly text: string
  readonly reason: CellError | 'noName' | { readonly message: string }
}

export interface RowReading {
  readonly row: SheetRow
  readonly draft: Draft
  readonly errors: readonly RowError[]
}

/** The texts that stand in place of others, by column. Empty leaves a text out. */
export type Corrections = ReadonlyMap<number, ReadonlyMap<string, string>>

/** Reads the rows of a file as records. */
export function readRows(
  rows: readonly SheetRow[],
  targets: readonly (Target | undefined)[],
  context: ReadingContext,
  corrections: Corrections,
): readonly RowReading[] {
  const nameColumn = targets.findIndex(
    (target) => target?.kind === 'fullName' || target?.kind === 'firstName',
  )
  return rows.map((row) => {
    const { draft, errors } = readRow(row, targets, context, corrections)
    const fullName = joinName(draft)
    if (fullName !== '') return { row, draft: { ...draft, fullName }, errors }
    const column = nameColumn < 0 ? undefined : nameColumn
    return { row, draft, errors: [{ column, text: '', reason: 'noName' }, ...errors] }
  })
}

function readRow(
  row: SheetRow,
  targets: readonly (Target | undefined)[],
  context: ReadingContext,
  corrections: Corrections,
): Pick<RowReading, 'draft' | 'errors'> {
  let draft: Draft = {}
  const errors: RowError[] = []
  for (const [column, target] of targets.entries()) {
    if (!target) continue
    const replace = (text: string) => corrections.get(column)?.get(text) ?? text
    const cell = readCell(row.cells[column] ?? '', column, target, context, replace)
    draft = mergeDrafts(draft, cell.draft)
    errors.push(...cell.errors.map(({ text, error }) => ({ column, text, reason: error })))
  }
  return { draft, errors }
}
