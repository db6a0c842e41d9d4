const id = '01a1fc31-2c90-7f14-a3d0-6c1b2a5e8f77'
const user = { id: '01a1fc31-2670-7519-b740-1c4078945b9e', name: 'Ana Lima', email: 'ana@demo.example' }
const counts = {
  people: { created: 5391, updated: 1310, unchanged: 218, left_out: 25 },
  companies: { created: 712, updated: 96, unchanged: 306, left_out: 3 },
}
const target = { kind: 'people', field: 'emails:work' }
const column = {
  name: 'Person - Email - Work',
  samples: ['helena@ipe.example'],
  has_empty: true,
  target,
  reason: { code: 'header', header: 'Person - Email - Work', system: 'Pipedrive' },
  number_format: 'comma',
  date_order: 'dmy',
  is_ambiguous: false,
}
const problem = {
  kind: 'people',
  column: 'Person - Email - Work',
  message: 'Is no e-mail address.',
  count: 14,
  cells: [{ row: 390, value: 'não tem' }],
}
const preview = {
  kind: 'people',
  action: 'created',
  name: 'Jonas Brandt',
  fields: { full_name: 'Jonas Brandt' },
}
const report = {
  counts,
  rows_with_problems: 84,
  problems: [problem],
  examples: [{ row: 2, records: [preview] }],
  over_quota: 0,
}
const item = {
  id,
  user,
  name: 'pipedrive-people.csv',
  size: 1_204_331,
  received: 1_204_331,
  state: 'running',
  problem: null,
  kinds: ['people', 'companies'],
  rows: 8120,
  done: 4120,
  rows_per_second: 412.5,
  seconds_left: 10,
  counts,
  rows_with_problems: 31,
  started_at: '2026-03-01T12:00:00.000Z',
  ended_at: null,
  reversal: null,
  created_at: '2026-03-01T11:52:00.000Z',
  updated_at: '2026-03-01T12:00:10.000Z',
  expires_at: '2026-03-31T11:52:00.000Z',
}

/** Examples of schemas of imports, for responses and requests, by schema name. */
export const IMPORT_EXAMPLES: Readonly<Record<string, object>> = {
  ImportListItem: item,
  Import: {
    ...item,
    format: 'csv',
    encoding: 'utf-8',
    is_encoding_guess: false,
    delimiter: ',',
    has_header: true,
    system: 'Pipedrive',
    kind: null,
    columns: [column],
    match: { people: 'email' },
    match_choices: { people: ['email', 'phone'], companies: ['name'] },
    policy: 'fill',
    policies: { 'people.phones': 'overwrite' },
    clear_empty: false,
    owner: null,
    tags: ['Pipedrive 2026'],
    list: null,
    keep_history: false,
    events: 'each',
    report: null,
  },
  ImportCounts: counts,
  RecordCounts: counts.people,
  ImportProblem: {
    code: 'extra_cells',
    message: 'Line 70001 has 21 cells, but the table has 19 columns.',
    line: 70_001,
  },
  ImportReversal: { done: 7515, records: 7515, deleted: 6103, restored: 1406, kept: 6 },
  ImportColumn: column,
  ColumnTarget: target,
  ColumnReason: column.reason,
  CheckReport: report,
  ProblemGroup: problem,
  ProblemCell: problem.cells[0]!,
  RowPreview: report.examples[0]!,
  RecordPreview: preview,
  KeptRecord: { number: 0, kind: 'people', id, action: 'updated', reason: 'changed', name: 'Helena Dias' },
  NewImport: { name: 'pipedrive-people.csv', size: 1_204_331 },
  ImportChanges: { columns: [{ column: 3, target: null }], policy: 'fill', tags: ['Pipedrive 2026'] },
  ImportRun: { confirm_deliveries: true },
  Decisions: { decisions: [{ number: 0, decision: 'keep' }] },
}
