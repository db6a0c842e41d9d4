import type { Instant } from '../../kernel/instant.ts'
import type { Delimiter, Encoding } from '../../ports/tables.ts'
import type { CustomFieldType } from '../../schema/custom-field-types.ts'
import type { ImportState } from '../../schema/import.ts'
import type { Owner } from '../../schema/views.ts'
import { isAbandoned, NO_BACKGROUND } from './background-problem.ts'
import type { ImportKind } from './columns/import-kind.ts'
import type {
  CheckReport,
  ImportColumn,
  ImportCounts,
  ImportOptions,
  ImportProblem,
  ImportRecord,
  Policy,
  Reversal,
} from './import-record.ts'
import { listMatchNames } from './run/find-match.ts'
import { findMainKind, listKinds, targetFields } from './run/import-kinds.ts'

export interface ImportReversal extends Pick<Reversal, 'done' | 'deleted' | 'restored' | 'kept'> {
  /** What the import has created and updated. All of it is `done` at the end. */
  readonly records: number
}

/** An import, as lists and events show it. */
export interface ImportItem {
  readonly id: string
  /** The member who began it; null for one who was removed. */
  readonly user: Owner | null
  readonly name: string
  readonly size: number
  /** Bytes that have arrived. The next part of the file begins there. */
  readonly received: number
  readonly state: ImportState
  readonly problem: ImportProblem | null
  /** The kinds of which rows have records; the first is that of the rows. */
  readonly kinds: readonly ImportKind[]
  readonly rows: number | null
  readonly done: number
  readonly rows_per_second: number | null
  readonly seconds_left: number | null
  readonly counts: ImportCounts
  readonly rows_with_problems: number
  readonly started_at: string | null
  readonly ended_at: string | null
  /** `kept` counts the records that wait for a decision. */
  readonly reversal: ImportReversal | null
  readonly created_at: string
  readonly updated_at: string
  readonly expires_at: string
}

/** A column as it is shown: the targets and reasons of all sorts as one. */
export interface ImportColumnView extends Omit<ImportColumn, 'target' | 'reason'> {
  /** Null if it is left out. */
  readonly target: ColumnTargetView | null
  /** Null if somebody chose the target. */
  readonly reason: ColumnReasonView | null
}

export interface ColumnTargetView {
  readonly kind: ImportKind
  readonly field: string
  /** Of an external id. */
  readonly source?: string
  /** Of a new custom field. */
  readonly type?: CustomFieldType
  readonly label?: string
  readonly options?: readonly string[]
}

export interface ColumnReasonView {
  readonly code: string
  readonly header?: string
  readonly system?: string
  readonly key?: string
  readonly share?: number
}

/** An import with its columns and rules. */
export interface ImportDetail
  extends ImportItem,
    Pick<
      ImportOptions,
      | 'format'
      | 'has_header'
      | 'kind'
      | 'policy'
      | 'clear_empty'
      | 'tags'
      | 'list'
      | 'keep_history'
      | 'events'
    > {
  readonly encoding: Encoding | null
  /** True if the bytes are valid in other encodings, too. */
  readonly is_encoding_guess: boolean
  readonly delimiter: Delimiter | null
  /** The export that the file is, such as `Pipedrive`. */
  readonly system: string | null
  readonly columns: readonly ImportColumnView[]
  /** By what each kind is found; a kind without an entry has the default. */
  readonly match: Readonly<Record<string, string | null>>
  /** By what each kind can be found. */
  readonly match_choices: Readonly<Record<string, readonly string[]>>
  /** Exceptions of the policy, by `people.phones` and the like. */
  readonly policies: Readonly<Record<string, Policy>>
  readonly owner: Owner | null
  readonly report: CheckReport | null
}

export interface ImportViewContext {
  /** Members by their user ids. */
  readonly owners: ReadonlyMap<string, Owner>
  readonly at: Instant
}

export function toImportView(record: ImportRecord, { owners, at }: ImportViewContext): ImportItem {
  const { id, name, size, received, state, progress } = record
  const problem = record.problem ?? (isAbandoned(record, at) ? NO_BACKGROUND : null)
  const { rows, done, counts, rows_with_problems, started_at, ended_at, reversal } = progress
  const records = countWritten(counts)
  const main = findMainKind(record)
  const kinds = listKinds(record)
  return {
    ...{ id, user: owners.get(record.user_id) ?? null, name, size, received, state, problem },
    kinds: kinds.length === 0 ? [] : [main, ...kinds.filter((kind) => kind !== main)],
    ...{ rows, done, ...measureRate(record, records), counts, rows_with_problems, started_at, ended_at },
    reversal: reversal && {
      done: reversal.done,
      records,
      deleted: reversal.deleted,
      restored: reversal.restored,
      kept: reversal.kept - reversal.decided,
    },
    created_at: record.created_at,
    updated_at: record.updated_at,
    expires_at: record.expires_at,
  }
}

export function toImportDetail(record: ImportRecord, context: ImportViewContext): ImportDetail {
  const { owners } = context
  const { encoding, delimiter, owner_user_id, ...options } = record.options
  const { progress, columns, report } = record
  return {
    ...toImportView(record, context),
    ...options,
    encoding: encoding ?? progress.encoding,
    is_encoding_guess: encoding === null && progress.is_encoding_guess,
    delimiter: delimiter ?? progress.delimiter,
    system: progress.system,
    columns,
    match_choices: Object.fromEntries(
      listKinds(record).map((kind) => [kind, listMatchNames(kind, targetFields(record, kind))]),
    ),
    owner: owner_user_id === null ? null : (owners.get(owner_user_id) ?? null),
    report,
  }
}

function countWritten(counts: ImportCounts): number {
  return Object.values(counts).reduce((sum, { created, updated }) => sum + created + updated, 0)
}

/** Of a run in the time since its last pause, and of a reversal. */
function measureRate({ state, progress, updated_at }: ImportRecord, records: number) {
  const { resumed_at, resumed_from, done, rows, reversal } = progress
  const rateSince = (at: string | null, count: number) => {
    const seconds = at === null ? 0 : (Date.parse(updated_at) - Date.parse(at)) / 1000
    return seconds > 0 && count > 0 ? count / seconds : undefined
  }
  const secondsLeft = (left: number, rate: number | undefined) =>
    rate === undefined ? null : Math.ceil(left / rate)
  if (state === 'reverting' && reversal) {
    const rate = rateSince(reversal.started_at, reversal.done)
    return { rows_per_second: null, seconds_left: secondsLeft(records - reversal.done, rate) }
  }
  const rate = state === 'running' ? rateSince(resumed_at, done - resumed_from) : undefined
  return {
    rows_per_second: rate === undefined ? null : Math.round(rate * 10) / 10,
    seconds_left: rows === null ? null : secondsLeft(rows - done, rate),
  }
}
