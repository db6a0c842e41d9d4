import { randomUUID } from 'node:crypto'
import type { Condition, Records } from '@sales-crm/core/ports'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { postgresStorage } from '../../src/index.ts'
import { clientConfig } from '../../src/wire/pool.ts'
import { AT, secondsAfter } from '../deliveries.ts'
import { freshDatabase } from '../fresh-database.ts'
import { createExplainingStorage } from './explain.ts'

const server = inject('postgresUrl')
const ROWS = 10_000
const WORKSPACE = randomUUID()
const OWNERS = Array.from({ length: 100 }, () => randomUUID())
const PER_PAGE = 20
/** Every tenth row is visible. */
const VISITS = PER_PAGE * 10

function makePerson(nth: number): Records['people'] {
  return {
    ...{ id: randomUUID(), created_at: secondsAfter(nth), updated_at: secondsAfter(nth) },
    ...{ full_name: `Ana ${nth}`, search_terms: 'ana', owner_user_id: OWNERS[nth % OWNERS.length]! },
    ...{ custom_values: { note: 'x'.repeat(400) }, emails: [], phones: [], tag_ids: [], list_ids: [] },
    ...{
      external_ids: [],
      shares: [],
      followers: [],
      other_companies: [],
      company_id: null,
      entity_id: `P-${nth}`,
      position: null,
    },
    ...{ score: 0, avatar_url: null },
  } as unknown as Records['people']
}

async function fillDatabase(): Promise<string> {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url })
  const stamps = { created_at: AT, updated_at: AT }
  const members = OWNERS.map((id) => ({
    id,
    role: 'member',
    removed_at: null,
    has_joined: true,
    notices: {},
    ...stamps,
  }))
  await storage.transact(async (tx) => {
    await tx.workspace(WORKSPACE).members.insertMany(members as never)
    const people = Array.from({ length: ROWS }, (_, nth) => makePerson(nth))
    await tx.workspace(WORKSPACE).people.insertMany(people)
  })
  await storage.close()
  return url
}

describe.runIf(server !== null)('what ten of a hundred owners have', () => {
  test('is counted without its rows, and read by the order of the page', async () => {
    const client = new pg.Client(clientConfig({ url: await fillDatabase() }))
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('analyze')
    const { transact, rowsRead } = createExplainingStorage(client)
    const visible: Condition<Records['people']> = {
      anyOf: [
        { field: 'owner_user_id', is: null },
        { field: 'owner_user_id', oneOf: OWNERS.slice(0, 10) },
      ],
    }
    const { rows, total } = await transact((tx) =>
      tx.workspace(WORKSPACE).people.list({
        ...{ page: 1, per_page: PER_PAGE, order_by: 'created_at', order: 'desc', where: [visible] },
      }),
    )
    expect([total, rows.length]).toEqual([ROWS / 10, PER_PAGE])
    const ofPeople = rowsRead.filter(({ index }) => index?.startsWith('people'))
    expect(ofPeople).toEqual([{ index: 'people_by_created_at', rows: VISITS }])
  })
})
