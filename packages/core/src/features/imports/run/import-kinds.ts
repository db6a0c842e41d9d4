import { IMPORT_KINDS, type ImportKind } from '../columns/import-kind.ts'
import type { ImportRecord } from '../import-record.ts'

type Described = Pick<ImportRecord, 'columns' | 'options' | 'progress'>

/** The kinds of which the rows have records, in the order of documents. */
export function listKinds({ columns }: Pick<Described, 'columns'>): readonly ImportKind[] {
  return IMPORT_KINDS.filter((kind) => columns.some(({ target }) => target?.kind === kind))
}

/** The kind of the rows: the one that was chosen, else that of the file, if a column has it. */
export function findMainKind({ columns, options, progress }: Described): ImportKind {
  const kinds = listKinds({ columns })
  const wanted = [options.kind, progress.kind].find((kind) => kind !== null && kinds.includes(kind))
  return wanted ?? kinds[0] ?? 'people'
}

/** The fields of a kind that have a column. */
export function targetFields({ columns }: Pick<Described, 'columns'>, kind: ImportKind): readonly string[] {
  return columns.flatMap(({ target }) => (target?.kind === kind ? [target.field] : []))
}
