import type { Delimiter, Encoding } from '../../ports/tables.ts'
import type { FileFormat, Import } from '../../schema/import.ts'
import type { CellRule } from './cell-rules.ts'
import type { ImportKind } from './columns/import-kind.ts'
import { OWN_SYSTEM } from './columns/systems.ts'
import type { ColumnReason, ColumnTarget } from './columns/target.ts'
import type { DateOrder } from './values/date.ts'
import type { NumberFormat } from './values/number.ts'

/** A row of `imports` with the types of its JSON columns. */
export interface ImportRecord
  extends Omit<Import, 'options' | 'columns' | 'progress' | 'report' | 'problem'> {
  readonly options: ImportOptions
  readonly columns: readonly ImportColumn[]
  readonly progress: ImportProgress
  readonly report: CheckReport | null
  readonly problem: ImportProblem | null
}

/** What somebody has chosen. */
export interface ImportOptions {
  readonly format: FileFormat
  /** Null: detected. */
  readonly encoding: Encoding | null
  /** Null: detected. */
  readonly delimiter: Delimiter | null
  readonly has_header: boolean
  /** The kind of the rows; null until it is chosen or found. */
  readonly kind: ImportKind | null
  /** By what each kind is found; a kind without an entry has the default, null finds nothing. */
  readonly match: Readonly<Partial<Record<ImportKind, MatchName | null>>>
  readonly policy: Policy
  /** Exceptions of the policy, by `people.phones` and the like. */
  readonly policies: Readonly<Record<string, Policy>>
  /** True if an empty cell clears the field of a record that is found. */
  readonly clear_empty: boolean
  /** The owner of records whose row names none; null for nobody. */
  readonly owner_user_id: string | null
  /** Names of tags for all records. */
  readonly tags: readonly string[]
  /** The name of a list for all records; null for none. */
  readonly list: string | null
  /** True to set the dates of creation and closing, and the owners of activities. */
  readonly keep_history: boolean
  readonly events: EventMode
}

export const POLICIES = ['fill', 'overwrite', 'keep'] as const
/** `fill` writes empty fields only, `keep` changes nothing of a record that is found. */
export type Policy = (typeof POLICIES)[number]

export const EVENT_MODES = ['each', 'summary'] as const
/** `summary` sends `import.completed` alone. */
export type EventMode = (typeof EVENT_MODES)[number]

/** `external_id`, `email`, `phone`, `code`, `name`, `domain`, or `custom_fields.<key>`. */
export type MatchName = string

export interface ImportColumn {
  readonly name: string
  /** The first values that are not empty. */
  readonly samples: readonly string[]
  /** True if a row has no value. */
  readonly has_empty: boolean
  /** Null if it is left out. */
  readonly target: ColumnTarget | null
  /** Null if somebody chose the target. */
  readonly reason: ColumnReason | null
  readonly number_format: NumberFormat
  readonly date_order: DateOrder
  /** True if no value shows which of two formats is meant. */
  readonly is_ambiguous: boolean
  /** Texts for others in its cells, at most 200. */
  readonly replace: readonly Replacement[]
  readonly if_invalid: InvalidMode
}

/** Texts are equal without accents, case and punctuation. */
export interface Replacement {
  /** The text of a cell, or of an entry of one that holds a list, as a check shows it. */
  readonly from: string
  /** Is read as if it stood in the cell. Null leaves the cell empty. */
  readonly to: string | null
}

export const INVALID_MODES = ['refuse', 'blank'] as const
/** `blank` leaves a cell empty that cannot be read or names what is not there, instead of refusing its record. */
export type InvalidMode = (typeof INVALID_MODES)[number]

export interface ImportProgress {
  /** Rows that are done, of the check, the run or the reversal. */
  readonly done: number
  /** Rows of the file; null until it is read. */
  readonly rows: number | null
  readonly encoding: Encoding | null
  readonly is_encoding_guess: boolean
  readonly delimiter: Delimiter | null
  /** The export that the file is, such as `Pipedrive`. */
  readonly system: string | null
  /** The kind of the rows, by the names of the columns; null until the file is read. */
  readonly kind: ImportKind | null
  /** By kind. */
  readonly counts: ImportCounts
  /** Rows of which something was left out. */
  readonly rows_with_problems: number
  readonly started_at: string | null
  readonly ended_at: string | null
  /** Since when, and from which row on, it has run without a pause. */
  readonly resumed_at: string | null
  readonly resumed_from: number
  /** Null before a reversal. */
  readonly reversal: Reversal | null
}

export type ImportCounts = Readonly<Partial<Record<ImportKind, RecordCounts>>>

export interface RecordCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly left_out: number
}

/** How far a reversal is. */
export interface Reversal {
  /** The member who asked for it. */
  readonly user_id: string
  readonly started_at: string
  /** Chunks that are done, from the last one. */
  readonly chunks: number
  /** Records of these, as often as the import has written them. Tags and lists are none. */
  readonly done: number
  readonly deleted: number
  readonly restored: number
  /** Records that it has left. */
  readonly kept: number
  /** Of those, the ones of which somebody has decided. */
  readonly decided: number
  /** Versions of records that were restored and have earlier changes. */
  readonly versions: Readonly<Record<string, string | null>>
}

/** What a check found. Nothing was written. */
export interface CheckReport {
  readonly counts: ImportCounts
  readonly rows_with_problems: number
  readonly problems: readonly ProblemGroup[]
  readonly examples: readonly RowPreview[]
  /** Records that would be created beyond the quota; 0 if they fit. */
  readonly over_quota: number
}

/** The cells that break one rule of one column. */
export interface ProblemGroup extends CellRule {
  readonly kind: ImportKind
  readonly column: string
  /** True if the cells are left empty, and their records go in. */
  readonly is_blank: boolean
  readonly count: number
  /** Fifty distinct values, the most frequent first. */
  readonly values: readonly ProblemValue[]
  /** The first fifty. */
  readonly cells: readonly ProblemCell[]
}

/** Values that a replacement does not tell apart are one. */
export interface ProblemValue {
  readonly value: string
  /** Number of cells. */
  readonly count: number
}

export interface ProblemCell {
  /** As spreadsheets count. */
  readonly row: number
  readonly value: string
}

/** A row as it will be. */
export interface RowPreview {
  readonly row: number
  readonly records: readonly RecordPreview[]
}

export interface RecordPreview {
  readonly kind: ImportKind
  readonly action: RowAction
  /** Null for a record that is left out before it has one. */
  readonly name: string | null
  /** The values that are written. */
  readonly fields: Readonly<Record<string, unknown>>
}

export type RowAction = 'created' | 'updated' | 'unchanged' | 'left_out'

/** One sentence, with its row or line if it is about one. */
export interface ImportProblem {
  readonly code: string
  readonly message: string
  readonly line: number | null
}

export function toImportRecord(record: Import): ImportRecord {
  const { columns, report, ...others } = record as ImportRecord
  return {
    ...others,
    columns: columns.every(({ replace }) => replace) ? columns : columns.map(withoutRemedies),
    report: report && { ...report, problems: report.problems.map(withGeneralCode) },
  }
}

/** A column that was stored before there were remedies. */
function withoutRemedies(column: ImportColumn): ImportColumn {
  return { ...column, replace: column.replace ?? [], if_invalid: column.if_invalid ?? 'refuse' }
}

/** So does a group of a check. */
function withGeneralCode(group: ProblemGroup): ProblemGroup {
  return group.code ? group : { ...group, code: 'invalid_value', is_blank: false, values: [] }
}

/** True for an export of this service. */
export function isOwnFile({ progress }: Pick<ImportRecord, 'progress'>): boolean {
  return progress.system === OWN_SYSTEM
}
