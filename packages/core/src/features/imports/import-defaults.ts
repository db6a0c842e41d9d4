import type { ImportOptions, ImportProgress } from './import-record.ts'

export const NEW_PROGRESS: ImportProgress = {
  done: 0,
  rows: null,
  encoding: null,
  is_encoding_guess: false,
  delimiter: null,
  system: null,
  kind: null,
  counts: {},
  rows_with_problems: 0,
  started_at: null,
  ended_at: null,
  resumed_at: null,
  resumed_from: 0,
  reversal: null,
}

export const DEFAULT_OPTIONS: Omit<ImportOptions, 'format'> = {
  encoding: null,
  delimiter: null,
  has_header: true,
  kind: null,
  match: {},
  policy: 'fill',
  policies: {},
  clear_empty: false,
  owner_user_id: null,
  tags: [],
  list: null,
  keep_history: false,
  events: 'each',
}
