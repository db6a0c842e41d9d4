const id = (number: number) => `0191d2f0-0000-7000-8000-${String(number).padStart(12, '0')}`
const [WORKSPACE, OTHER] = [id(1), id(2)]
const at = (hour: number) => `2026-03-01T${hour}:00:00.000Z`

function insertInto(table: string, row: Readonly<Record<string, string | number | boolean | null>>): string {
  const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  return `insert into ${table} (${Object.keys(row)}) values (${values});`
}

function insertTask(number: number, completed: boolean, times: object): string {
  const row = { workspace_id: WORKSPACE, id: id(number), title: 'Call', completed, created_at: at(10) }
  return insertInto('tasks', { ...row, ...times })
}

function insertMove(number: number, deal: number, hour: number, workspace_id = WORKSPACE): string {
  const stages = { from_pipeline_id: id(1), from_stage_id: id(1), to_pipeline_id: id(1), to_stage_id: id(1) }
  const row = { workspace_id, id: id(number), deal_id: id(deal), ...stages, user_id: id(1) }
  return insertInto('stage_moves', { ...row, created_at: at(hour) })
}

function insertDeals(workspace_id: string, hour: number): readonly string[] {
  const base = (number: number) => ({ workspace_id, id: id(number), created_at: at(hour) })
  const stage = { pipeline_id: id(1), position: 0, name: 'New', type: 'open', probability: 50 }
  const parts = { tag_ids: '[]', list_ids: '[]', custom_values: '{}', search_terms: 'roof' }
  const fields = { name: 'Roof', amount: 1, currency: 'USD', pipeline_id: id(1), stage_id: id(1), ...parts }
  const deal = (number: number) => ({ ...base(number), ...fields, entity_id: `D-${number}` })
  return [
    insertInto('members', { ...base(1), role: 'owner' }),
    insertInto('pipelines', { ...base(1), name: 'Sales' }),
    insertInto('stages', { ...base(1), ...stage }),
    insertInto('deals', deal(1)),
    insertInto('deals', { ...deal(2), deleted_at: at(20) }),
  ]
}

/** The last migration without the times. */
export const VERSION_WITHOUT_TIMES = '0023_examples'

/** Statements, for both databases, that insert rows without the times. */
export const OLD_ROWS = [
  ...insertDeals(WORKSPACE, 10),
  ...insertDeals(OTHER, 11),
  insertTask(1, true, { updated_at: at(12) }),
  insertTask(2, true, { updated_at: null }),
  insertTask(3, false, { updated_at: at(12) }),
  insertTask(4, true, { updated_at: at(12), deleted_at: at(13) }),
  // Not in chronological order, and two at once.
  insertMove(13, 1, 12),
  insertMove(11, 1, 14),
  insertMove(12, 1, 14),
  insertMove(14, 2, 15),
  insertMove(15, 1, 16, OTHER),
].join('\n')

/** Statements of a process of the version before, after the migration. */
export const LATER_ROWS = [insertTask(5, true, { updated_at: at(17) }), insertMove(16, 1, 17)].join('\n')

export const SELECT_TIMES = `select id, completed_at as stored_at from tasks
  union all select id, entered_at from stage_moves order by id`

export const EXPECTED_TIMES: readonly object[] = [
  { id: id(1), stored_at: at(12) },
  { id: id(2), stored_at: at(10) },
  { id: id(3), stored_at: null },
  { id: id(4), stored_at: at(12) },
  { id: id(5), stored_at: null },
  { id: id(11), stored_at: at(12) },
  { id: id(12), stored_at: at(14) },
  { id: id(13), stored_at: at(10) },
  { id: id(14), stored_at: at(10) },
  { id: id(15), stored_at: at(11) },
  { id: id(16), stored_at: null },
]
