import {
  COUNTED_COLLECTIONS,
  LONG_TEXTS,
  MIN_LONG_TEXT_BYTES,
  SHAPES,
  SHARED_SHAPES,
  type Storage,
} from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { ALL_COLLECTIONS, getCollection } from '../src/collections.ts'

/** Tables that migration 0014 renamed, by their current names. */
export const OLD_TABLES: Readonly<Record<string, string>> = {
  authorization_codes: 'codes',
  one_time_links: 'links',
  queued_mail: 'letters',
  rate_limits: 'lasting_windows',
}

/** Collections that later migrations added. */
const NEW_COLLECTIONS = [
  'bulk_changes',
  'bulk_parts',
  'deal_items',
  'deal_offers',
  'examples',
  'import_chunks',
  'import_parts',
  'imports',
  'lost_reasons',
  'notifications',
  'runs',
  'targets',
  'teams',
  'timers',
  'views',
]

/** The collections of the fixtures. */
export const OLD_COLLECTIONS: readonly string[] = [
  ...Object.keys(SHAPES),
  ...Object.keys(SHARED_SHAPES),
].filter((name) => !NEW_COLLECTIONS.includes(name))

type Row = Readonly<Record<string, unknown>>

/** As text on SQLite. */
const EMPTY_LIST = expect.toSatisfy((value) => JSON.stringify(value) === '[]' || value === '[]')
const EMPTY_OBJECT = expect.toSatisfy((value) => JSON.stringify(value) === '{}' || value === '{}')
/** The rules of every kind: all see all. */
const EVERYONE = expect.toSatisfy((value) => /^\{("\w+": ?"everyone",? ?){4}\}$/.test(toText(value)))

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Rows of kinds whose terms later migrations added, or added to. */
const IDENTIFIED = { external_ids: EMPTY_LIST, search_terms: expect.stringMatching(/^[a-z]/) }
const SHARED = {
  external_ids: EMPTY_LIST,
  search_terms: expect.any(String),
  shares: EMPTY_LIST,
  followers: EMPTY_LIST,
}

/** The values of columns that later migrations added and filled in a row of the fixtures, by collection. */
const NEW_COLUMNS: Readonly<Record<string, (row: Row) => object>> = {
  workspaces: () => ({ country: 'US', visibility: EVERYONE }),
  users: ({ password_hash, created_at }) => ({
    email_verified_at: password_hash === null ? null : created_at,
  }),
  activities: () => IDENTIFIED,
  companies: () => SHARED,
  deals: () => ({ ...SHARED, amount_source: 'typed', other_people: EMPTY_LIST }),
  people: () => ({ ...SHARED, other_companies: EMPTY_LIST }),
  stages: () => ({ required_fields: EMPTY_LIST }),
  products: () => ({ external_ids: EMPTY_LIST }),
  tasks: ({ completed, updated_at }) => ({
    completed_at: completed ? updated_at : null,
    ...IDENTIFIED,
    ...{ shares: EMPTY_LIST, followers: EMPTY_LIST },
  }),
  invitations: () => ({ is_mailed: expect.toBeOneOf([true, 1]) }),
  members: () => ({ has_joined: expect.toBeOneOf([true, 1]), notices: EMPTY_OBJECT }),
}

/** Returns a row of a fixture with the columns that it has after the migration, which are null unless it fills them. */
export function addNewColumns(collection: string, row: Row): object {
  const { columns } = ALL_COLLECTIONS.find(({ name }) => name === collection)!
  const nulls = Object.fromEntries(Object.keys(columns).map((name) => [name, null]))
  return { ...nulls, ...row, ...NEW_COLUMNS[collection]?.(row) }
}

/** Asserts that a migrated demo database can be searched and written and enforces uniqueness. */
export async function expectUsableDemo(storage: Storage): Promise<void> {
  await storage.transact(async (tx) => {
    const [workspace] = await tx.workspaces.find([])
    const { people, tags } = tx.workspace(workspace!.id)
    const [julia] = await people.find([{ field: 'search_terms', hasPrefix: 'jul' }])
    expect(julia).toMatchObject({ full_name: 'Júlia Prado', search_terms: expect.stringContaining('_tag_') })
    await people.update({ ...julia!, search_terms: 'renamed' })
    expect(await people.find([{ field: 'search_terms', hasTerm: 'renamed' }])).toHaveLength(1)
    expect(await people.find([{ field: 'search_terms', hasPrefix: 'jul' }])).toEqual([])
    const [tag] = await tags.find([{ field: 'key', is: 'trade_fair' }])
    const duplicate = { ...tag!, id: '0191d2f0-0000-7000-8000-000000000001' }
    await expect(tx.savepoint(() => tags.insert(duplicate))).rejects.toMatchObject({ code: 'conflict' })
    const [mail] = await tx.queued_mail.find([])
    await tx.queued_mail.update({ ...mail!, due_at: '2026-03-01T12:00:00.000Z' })
    await expect(
      tx.savepoint(async () => {
        const [limit] = await tx.rate_limits.find([])
        await tx.rate_limits.insert({ ...limit!, id: '0191d2f0-0000-7000-8000-000000000002' })
      }),
    ).rejects.toMatchObject({ code: 'conflict', fields: { key: expect.any(String) } })
  })
  await expectCountedSize(storage)
  await storage.check()
}

/** Asserts that the migration has counted what the demo holds: it has no deleted records. */
async function expectCountedSize(storage: Storage): Promise<void> {
  await storage.read(async (tx) => {
    const [workspace] = await tx.workspaces.find([])
    const findRows = (name: string) =>
      getCollection(name as 'files')
        .storeIn(tx, workspace!.id)
        .find([])
    const records = await Promise.all(COUNTED_COLLECTIONS.map(findRows))
    const texts = await Promise.all(
      Object.entries(LONG_TEXTS).map(async ([name, column]) =>
        (await findRows(name)).map((row) =>
          Buffer.byteLength(typeof row[column] === 'string' ? row[column] : JSON.stringify(row[column])),
        ),
      ),
    )
    const longTexts = texts.flat().filter((bytes) => bytes >= MIN_LONG_TEXT_BYTES)
    const bytes = longTexts.reduce((sum, each) => sum + each, 0)
    const size = await tx.measureWorkspace(workspace!.id)
    expect(size).toMatchObject({ records: records.flat().length, bytes })
  })
}
