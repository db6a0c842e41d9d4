import type { ImportColumn } from '@sales-crm/client'
import type { ImportKind } from '../can-import.ts'

/** A column with its place in the file. */
export interface PlacedColumn {
  readonly index: number
  readonly column: ImportColumn
}

export interface ColumnGroup {
  /** Undefined for what is left out. */
  readonly kind: ImportKind | undefined
  readonly columns: readonly PlacedColumn[]
}

/** The columns by the kinds that they become, in the order of the kinds; what is left out comes last. */
export function groupColumns(
  columns: readonly ImportColumn[],
  kinds: readonly ImportKind[],
): readonly ColumnGroup[] {
  const placed = columns.map((column, index) => ({ index, column }))
  return [...kinds, undefined]
    .map((kind) => ({ kind, columns: placed.filter(({ column }) => column.target?.kind === kind) }))
    .filter((group) => group.columns.length > 0)
}
