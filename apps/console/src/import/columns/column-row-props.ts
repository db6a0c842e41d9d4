import type { CustomField, ImportChanges, ImportColumn } from '@sales-crm/client'
import type { TargetGroup } from './target.ts'

export type ColumnChanges = Omit<NonNullable<ImportChanges['columns']>[number], 'column'>

export interface ColumnRowProps {
  readonly index: number
  readonly column: ImportColumn
  /** All of the file. */
  readonly columns: readonly ImportColumn[]
  readonly groups: readonly TargetGroup[]
  readonly fields: readonly CustomField[]
  /** The columns by the targets that they have taken. */
  readonly taken: ReadonlyMap<string, number>
  /** True if its row has moved because it was changed. */
  readonly takesFocus: boolean
  readonly change: (changes: ColumnChanges) => void
}
