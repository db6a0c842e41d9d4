import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

const AT = '2026-03-01T12:00:00.000Z'
const AWKWARD = '"\\" \n\t\u0001\u2028 null ünï 😀'

function person(number: number) {
  const id = `0191d2f0-0000-7000-8000-${String(number).padStart(12, '0')}`
  const custom_values = {
    [AWKWARD]: [AWKWARD],
    small: 1e-7,
    great: 1e21,
    exact: 9_007_199_254_740_991,
    yes: true,
  } as never
  return {
    ...{
      id,
      entity_id: `P-${number}`,
      full_name: AWKWARD,
      emails: [],
      phones: [{ phone: AWKWARD, type: 'work' as const }],
      position: 'null',
    },
    ...{
      score: -7,
      avatar_url: null,
      company_id: null,
      owner_user_id: null,
      tag_ids: [],
      list_ids: [],
      custom_values,
      external_ids: [],
      shares: [],
      other_companies: [],
      followers: [],
      search_terms: 'a b',
    },
    ...{ created_at: AT, updated_at: AT },
  } as const
}

test('a bulk insert stores the same bytes as a single insert', async () => {
  const file = createTempPath()
  const storage = await sqliteStorage({ file })
  await storage.transact(async (tx) => {
    const { people } = tx.workspace(WORKSPACE)
    await people.insert(person(0))
    await people.insertMany(Array.from({ length: 250 }, (_, index) => person(index + 1)))
  })
  await storage.close()

  const opened = new Database(file, { readonly: true })
  const columns = opened
    .prepare(
      "select name from pragma_table_info('people') where name not in ('search_row', 'id', 'entity_id')",
    )
    .pluck()
    .all()
  const bytes = columns.map((column) => `typeof(${column}) || hex(${column})`).join(" || ' ' || ")
  const rows = opened.prepare(`select ${bytes} from people`).pluck().all()
  opened.close()
  expect(rows).toHaveLength(251)
  expect(new Set(rows).size).toBe(1)
})

test('a bulk insert stores a missing value as null, not as the text "null"', async () => {
  const file = createTempPath()
  const storage = await sqliteStorage({ file })
  const field = {
    label: 'CPF',
    key: 'cpf',
    type: 'cpf',
    value: null,
    required: false,
    created_at: AT,
    updated_at: AT,
  } as const
  const visibility = { show_people: true, show_companies: false, show_deals: false }
  await storage.transact((tx) =>
    tx.workspace(WORKSPACE).custom_fields.insertMany([{ ...field, ...visibility, id: person(1).id }]),
  )
  await storage.close()

  const opened = new Database(file, { readonly: true })
  const [stored] = opened.prepare('select value, show_people, show_deals from custom_fields').all()
  opened.close()
  expect(stored).toEqual({ value: null, show_people: 1, show_deals: 0 })
})
