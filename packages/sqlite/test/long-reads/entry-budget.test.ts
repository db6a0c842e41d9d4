import { RESOURCES } from '@sales-crm/core/declarations'
import type { Condition, Records, Storage, Transaction } from '@sales-crm/core/ports'
import { beforeAll, expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { createTempPath, WORKSPACE } from '../harness.ts'

type Deal = Records['deals']

const [MANY, FEW] = [2100, 5]
const AT = '2026-03-01T12:00:00.000Z'
const LATER = '2026-03-02T12:00:00.000Z'
const [PIPELINE, BIG_STAGE, SMALL_STAGE] = [1, 2, 3].map(idOf) as [string, string, string]

const file = createTempPath()
let storage: Storage
beforeAll(async () => {
  storage = await sqliteStorage({ file })
  await storage.transact(async (tx) => {
    const { pipelines, stages, deals } = tx.workspace(WORKSPACE)
    await pipelines.insert({ id: PIPELINE, name: 'Sales', created_at: AT, updated_at: AT })
    const stage = {
      pipeline_id: PIPELINE,
      name: 'New',
      type: 'open',
      probability: 10,
      created_at: AT,
      required_fields: [],
      stale_after_days: null,
    } as const
    await stages.insertMany([
      { ...stage, id: BIG_STAGE, position: 0, updated_at: AT },
      { ...stage, id: SMALL_STAGE, position: 1, updated_at: AT },
    ])
    await deals.insertMany(Array.from({ length: MANY + FEW }, (_, nth) => buildDeal(nth)))
  })
  return () => storage.close()
})

function idOf(number: number): string {
  return `0191d2f0-0000-7000-8000-${String(number).padStart(12, '0')}`
}

/** The last few are in the small stage, later, and rare. */
function buildDeal(nth: number): Deal {
  const isRare = nth >= MANY
  return {
    ...RESOURCES.deals.defaults,
    ...{ id: idOf(100 + nth), entity_id: `D-${nth}`, name: `Deal ${nth}`, amount: nth, currency: 'USD' },
    ...{ pipeline_id: PIPELINE, stage_id: isRare ? SMALL_STAGE : BIG_STAGE, source: isRare ? 'fair' : null },
    search_terms: isRare ? 'roof rare' : 'roof',
    ...{ created_at: isRare ? LATER : AT, updated_at: isRare ? LATER : AT },
  }
}

/** Runs a read, and counts how often its work ran: once on the event loop, and again in a thread. */
async function countRuns<T>(work: (tx: Transaction) => Promise<T>): Promise<{ runs: number; result: T }> {
  let runs = 0
  const result = await storage.read((tx) => {
    runs += 1
    return work(tx)
  })
  return { runs, result }
}

const RARE: Condition<Deal> = { field: 'search_terms', hasTerm: 'rare' }
const ROOF: Condition<Deal> = { field: 'search_terms', hasTerm: 'roof' }
const OF_SMALL_STAGE: Condition<Deal> = { field: 'stage_id', is: SMALL_STAGE }
const OF_BIG_STAGE: Condition<Deal> = { field: 'stage_id', is: BIG_STAGE }
const IN_PIPELINE: Condition<Deal> = { field: 'pipeline_id', is: PIPELINE }

test.each<[string, readonly Condition<Deal>[], number, number]>([
  ['a term of many', [{ field: 'search_terms', hasTerm: 'roof' }], 2, MANY + FEW],
  ['a prefix of many', [{ field: 'search_terms', hasPrefix: 'ro' }], 2, MANY + FEW],
  ['a term of few', [RARE], 1, FEW],
  ['a term of few beside one of many', [RARE, { field: 'search_terms', hasTerm: 'roof' }], 1, FEW],
  ['a term of few beside a prefix of many', [RARE, { field: 'search_terms', hasPrefix: 'ro' }], 2, FEW],
  ['a value of many', [{ field: 'stage_id', is: BIG_STAGE }], 2, MANY],
  ['a value of few', [{ field: 'stage_id', is: SMALL_STAGE }], 1, FEW],
  [
    'a value of few beside one of many',
    [
      { field: 'pipeline_id', is: PIPELINE },
      { field: 'stage_id', is: SMALL_STAGE },
    ],
    1,
    FEW,
  ],
  ['a range of few', [{ field: 'updated_at', from: LATER }], 1, FEW],
  ['a range of many', [{ field: 'updated_at', from: AT }], 2, MANY + FEW],
  ['a column without an index', [{ field: 'source', is: 'fair' }], 2, FEW],
  [
    'a value of few beside alternatives of many',
    [OF_SMALL_STAGE, { anyOf: [OF_BIG_STAGE, IN_PIPELINE] }],
    1,
    FEW,
  ],
  ['alternatives of few', [{ anyOf: [RARE, OF_SMALL_STAGE] }], 2, FEW],
  ['a part of a text', [{ field: 'source', contains: 'FAI' }], 2, FEW],
  ['alternatives of parts of a text', [{ anyOf: [{ field: 'name', contains: 'absent' }] }], 2, 0],
  [
    'a value of few beside a part of a text of linked records',
    [
      OF_SMALL_STAGE,
      {
        field: 'stage_id',
        whereRelated: { collection: 'stages', where: [{ field: 'name', contains: 'new' }] },
      },
    ],
    2,
    FEW,
  ],
  ['a value of few beside the complement of a term of few', [OF_SMALL_STAGE, { not: RARE }], 1, 0],
  ['a value of few beside the complement of a term of many', [OF_SMALL_STAGE, { not: ROOF }], 2, 0],
])('a list by %s', async (_, where, expectedRuns, total) => {
  for (const order_by of ['created_at', 'name', 'amount'] as const) {
    const query = { page: 1, per_page: 3, order_by, order: 'desc', where } as const
    const list = (tx: Transaction) => tx.workspace(WORKSPACE).deals.list(query)
    const { runs, result } = await countRuns(list)
    expect([runs, result.total]).toEqual([expectedRuns, total])
    expect(result).toEqual(await storage.read(list, { workload: 'report' }))
  }
})

test('sums, counts by term, groups and pages far from both ends of many records leave the event loop', async () => {
  const sections = [{ keys: [BIG_STAGE], order_by: 'name', order: 'asc', where: [] }] as const
  const groups = { groupBy: 'stage_id', sections, limit: 2, sum: 'amount', sumBy: 'currency' } as const
  const page = { per_page: 50, order_by: 'created_at', order: 'asc', where: [] } as const
  const cases: [number, (deals: ReturnType<Transaction['workspace']>['deals']) => Promise<unknown>][] = [
    [2, (deals) => deals.aggregate({ where: [], groupBy: [], order: 'count', limit: 1 })],
    [1, (deals) => deals.aggregate({ where: [RARE], groupBy: [], order: 'count', limit: 1 })],
    [2, (deals) => deals.medianDuration({ where: [], from: 'created_at', to: 'updated_at' })],
    [2, (deals) => deals.countByTerm('search_terms', ['roof'])],
    [1, (deals) => deals.countByTerm('search_terms', ['rare'])],
    [2, (deals) => deals.listGroups({ ...groups, where: [{ field: 'stage_id', is: BIG_STAGE }] })],
    [1, (deals) => deals.listGroups({ ...groups, where: [RARE] })],
    [1, (deals) => deals.list({ ...page, page: 42 })],
    [1, (deals) => deals.list({ ...page, page: 21 })],
  ]
  for (const [expectedRuns, work] of cases)
    expect((await countRuns((tx) => work(tx.workspace(WORKSPACE).deals))).runs, String(work)).toBe(
      expectedRuns,
    )
})

test('the entries of all statements of a read count together', async () => {
  const countRoofs = async (tx: Transaction) => {
    const { deals } = tx.workspace(WORKSPACE)
    for (let nth = 0; nth < 500; nth += 1) await deals.countByTerm('search_terms', ['rare'])
  }
  expect((await countRuns(countRoofs)).runs).toBe(2)
})

test('closing waits for a read that turns out to be long', async () => {
  const closed = await sqliteStorage({ file })
  let [runs, total] = [0, 0]
  const reading = closed.read(async (tx) => {
    runs += 1
    const where = [{ field: 'updated_at', from: AT }] as const
    const query = { page: 1, per_page: 10, order_by: 'name', order: 'asc', where } as const
    total = (await tx.workspace(WORKSPACE).deals.list(query)).total
  })
  await closed.close()
  expect([runs, total]).toEqual([2, MANY + FEW])
  await reading
})
