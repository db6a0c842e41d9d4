import * as v from 'valibot'
import { PROBLEM_CODES } from '../features/imports/cell-rules.ts'
import { IMPORT_KINDS } from '../features/imports/columns/import-kind.ts'
import {
  EVENT_MODES,
  INVALID_MODES,
  POLICIES,
  type ProblemGroup,
  type RecordPreview,
} from '../features/imports/import-record.ts'
import type {
  ColumnReasonView,
  ColumnTargetView,
  ImportColumnView,
  ImportDetail,
  ImportItem,
} from '../features/imports/import-view.ts'
import type { KeptView } from '../features/imports/revert/kept-records.ts'
import { KEEP_REASONS } from '../features/imports/row-result.ts'
import {
  countResponse as count,
  instantResponse as instant,
  responseSchema,
  textResponse as text,
  uuidResponse as uuid,
} from '../kernel/response-schemas.ts'
import { CUSTOM_FIELD_TYPES } from '../schema/custom-field-types.ts'
import { FILE_FORMATS, IMPORT_STATES } from '../schema/import.ts'
import { owner } from './settings-responses.ts'

const kind = v.picklist(IMPORT_KINDS)
const action = v.picklist(['created', 'updated', 'unchanged', 'left_out'])
const policy = v.picklist(POLICIES)

export const recordCounts = v.strictObject({
  created: count,
  updated: count,
  unchanged: count,
  left_out: count,
})
/** An entry for each kind of the rows. */
export const importCounts = v.strictObject(v.entriesFromList(IMPORT_KINDS, v.exactOptional(recordCounts)))
export const importProblem = v.strictObject({ code: text, message: text, line: v.nullable(count) })
export const reversal = v.strictObject({
  done: count,
  records: count,
  deleted: count,
  restored: count,
  kept: count,
})

const itemFields = {
  id: uuid,
  user: v.nullable(owner),
  name: text,
  size: count,
  received: count,
  state: v.picklist(IMPORT_STATES),
  problem: v.nullable(importProblem),
  kinds: v.array(kind),
  rows: v.nullable(count),
  done: count,
  rows_per_second: v.nullable(v.number()),
  seconds_left: v.nullable(count),
  counts: importCounts,
  rows_with_problems: count,
  started_at: v.nullable(instant),
  ended_at: v.nullable(instant),
  reversal: v.nullable(reversal),
  created_at: instant,
  updated_at: instant,
  expires_at: instant,
}
export const importItem = responseSchema<ImportItem>()(itemFields)

export const columnTarget = responseSchema<ColumnTargetView>()({
  kind,
  field: text,
  source: v.exactOptional(text),
  type: v.exactOptional(v.picklist(CUSTOM_FIELD_TYPES)),
  label: v.exactOptional(text),
  options: v.exactOptional(v.array(text)),
})
export const columnReason = responseSchema<ColumnReasonView>()({
  code: text,
  header: v.exactOptional(text),
  system: v.exactOptional(text),
  key: v.exactOptional(text),
  share: v.exactOptional(v.number()),
})
export const replacement = v.strictObject({ from: text, to: v.nullable(text) })
export const importColumn = responseSchema<ImportColumnView>()({
  name: text,
  samples: v.array(text),
  has_empty: v.boolean(),
  target: v.nullable(columnTarget),
  reason: v.nullable(columnReason),
  number_format: v.picklist(['point', 'comma']),
  date_order: v.picklist(['dmy', 'mdy', 'ymd']),
  is_ambiguous: v.boolean(),
  replace: v.array(replacement),
  if_invalid: v.picklist(INVALID_MODES),
})

export const problemValue = v.strictObject({ value: text, count })
export const problemCell = v.strictObject({ row: count, value: text })
export const problemGroup = responseSchema<ProblemGroup>()({
  kind,
  column: text,
  code: v.picklist(PROBLEM_CODES),
  message: text,
  is_blank: v.boolean(),
  count,
  values: v.array(problemValue),
  cells: v.array(problemCell),
})
export const recordPreview = responseSchema<RecordPreview>()({
  kind,
  action,
  name: v.nullable(text),
  fields: v.record(text, v.unknown()),
})
export const rowPreview = v.strictObject({ row: count, records: v.array(recordPreview) })
export const checkReport = v.strictObject({
  counts: importCounts,
  rows_with_problems: count,
  problems: v.array(problemGroup),
  examples: v.array(rowPreview),
  over_quota: count,
})

export const importDetail = responseSchema<ImportDetail>()({
  ...itemFields,
  format: v.picklist(FILE_FORMATS),
  encoding: v.nullable(v.picklist(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])),
  is_encoding_guess: v.boolean(),
  delimiter: v.nullable(v.picklist([',', ';', '\t', '|'])),
  has_header: v.boolean(),
  system: v.nullable(text),
  kind: v.nullable(kind),
  columns: v.array(importColumn),
  match: v.record(text, v.nullable(text)),
  match_choices: v.record(text, v.array(text)),
  policy,
  policies: v.record(text, policy),
  clear_empty: v.boolean(),
  owner: v.nullable(owner),
  tags: v.array(text),
  list: v.nullable(text),
  keep_history: v.boolean(),
  events: v.picklist(EVENT_MODES),
  report: v.nullable(checkReport),
})

export const keptRecord = responseSchema<KeptView>()({
  number: count,
  kind: v.picklist([...IMPORT_KINDS, 'tags', 'lists']),
  id: uuid,
  action: v.picklist(['created', 'updated']),
  reason: v.picklist(KEEP_REASONS),
  name: v.nullable(text),
})
