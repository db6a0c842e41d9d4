import type { CrmError, ErrorCode } from '../../../kernel/errors.ts'
import type { CellRule } from '../cell-rules.ts'
import type { ImportKind } from '../columns/import-kind.ts'
import type { CellProblem } from '../row-result.ts'
import { fieldOfPath } from './blank-fields.ts'

/** What the refusals of the API are to cells. */
const CODES: Readonly<Partial<Record<ErrorCode, CellRule['code']>>> = {
  conflict: 'taken',
  forbidden: 'forbidden',
}

/** The cells of a record that the API refuses, without their values. */
export function toCellProblems(
  kind: ImportKind,
  error: CrmError,
  { columnOf }: { columnOf(kind: ImportKind, field: string): string },
): readonly CellProblem[] {
  const fields = Object.entries(error.fields ?? {})
  const code = CODES[error.code] ?? 'invalid_value'
  if (fields.length === 0) return [{ kind, column: '', value: '', code, message: error.message }]
  return fields.map(([path, message]) => ({
    ...{ kind, column: columnOf(kind, fieldOfPath(path)) },
    ...{ value: '', code, message },
  }))
}
