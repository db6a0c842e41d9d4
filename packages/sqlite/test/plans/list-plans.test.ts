import { RESOURCES } from '@sales-crm/core/declarations'
import type { Transaction } from '@sales-crm/core/ports'
import { compileStatement, param } from '@sales-crm/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sqliteDialect } from '../../src/dialect/sqlite-dialect.ts'
import { WORKSPACE } from '../harness.ts'
import { type Conditions, createExplainingStorage, storeOf } from './explain.ts'

const { activities, companies, deals, people, products, tasks } = RESOURCES

interface ResourceKind {
  readonly orderBy: readonly string[]
  readonly defaults: object
  readonly codePrefix: string | null
}

const ID = '0191d2f0-0000-7000-8000-000000000001'
const AT = '2026-03-01T12:00:00.000Z'
const BEFORE = '2026-02-01T12:00:00.000Z'
const oneTerm: Conditions = [{ field: 'search_terms', hasPrefix: 'ana' }]
const twoTerms: Conditions = [...oneTerm, { field: 'search_terms', hasPrefix: 'silva' }]
const tag: Conditions = [{ field: 'search_terms', hasTerm: '_tag_1' }]
const SEARCHES = {
  search: twoTerms,
  'search one word': oneTerm,
  tag,
  list_id: [{ field: 'search_terms', hasTerm: '_list_1' }],
} as const
const owner: Conditions = [{ field: 'owner_user_id', is: ID }]
const updated: Conditions = [{ field: 'updated_at', from: AT }]
const equalsId = (field: string): Conditions => [{ field, is: ID }]
const MIXED = {
  'search, tag and owner': [...oneTerm, ...tag, ...owner],
  'owner and updated': [...owner, ...updated],
  'owner beside alternatives': [...owner, { anyOf: [...updated, ...tag] }],
  'search beside alternatives': [...oneTerm, { anyOf: [...owner, { not: updated[0]! }] }],
}
const ofCompanies: Conditions = [
  { anyOf: [{ allOf: twoTerms }, { field: 'company_id', oneOf: [ID, WORKSPACE] }] },
]
const LINKED = { person_id: equalsId('person_id'), company_id: equalsId('company_id') }

/** The filters of each list. */
const FILTERS: Readonly<
  Record<string, { readonly of: ResourceKind; readonly by: Readonly<Record<string, Conditions>> }>
> = {
  people: { of: people, by: { ...SEARCHES, ...MIXED, owner, company_id: equalsId('company_id'), updated } },
  companies: { of: companies, by: { ...SEARCHES, ...MIXED, owner, updated } },
  deals: {
    of: deals,
    by: {
      ...SEARCHES,
      ...MIXED,
      ...LINKED,
      owner,
      updated,
      pipeline_id: equalsId('pipeline_id'),
      stage_id: equalsId('stage_id'),
      status: [{ field: 'stage_id', oneOf: [ID, WORKSPACE] }],
      'status and search': [...oneTerm, { field: 'stage_id', oneOf: [ID] }],
      'search of companies': ofCompanies,
      'search of companies, and owner': [...owner, ...ofCompanies],
      entity_id: [{ field: 'entity_id', is: 'D-1' }],
    },
  },
  tasks: {
    of: tasks,
    by: {
      ...SEARCHES,
      ...MIXED,
      ...LINKED,
      owner,
      deal_id: equalsId('deal_id'),
      completed: [{ field: 'completed', is: false }],
      due_after: [{ field: 'due_date', from: AT }],
      due_before: [{ field: 'due_date', to: AT }],
      'due within': [
        { field: 'due_date', from: AT },
        { field: 'due_date', to: AT },
      ],
      'completed and due': [
        { field: 'completed', is: true },
        { field: 'due_date', to: AT },
      ],
    },
  },
  activities: { of: activities, by: { ...SEARCHES, 'owner and search': [...oneTerm, ...owner] } },
  products: {
    of: products,
    by: {
      search: twoTerms,
      is_active: [{ field: 'is_active', is: true }],
      both: [...oneTerm, { field: 'is_active', is: true }],
    },
  },
}

const CASES = Object.entries(FILTERS).flatMap(([name, { of, by }]) =>
  Object.entries({ nothing: [], ...by }).flatMap(([filter, where]) =>
    of.orderBy.map((order_by) => ({ name, filter, where, order_by })),
  ),
)

/** Inserts rows that no filter matches, except open tasks and active products. */
async function fillDatabase(tx: Transaction): Promise<void> {
  const base = (nth: number) => ({
    id: `0191d2f0-0000-7000-8000-00000000010${nth}`,
    created_at: BEFORE,
    updated_at: BEFORE,
  })
  const [pipeline, stage] = [base(0), base(1)]
  await storeOf(tx, 'pipelines').insert({ ...pipeline, name: 'Sales' })
  await storeOf(tx, 'stages').insert({
    ...stage,
    pipeline_id: pipeline.id,
    position: 0,
    name: 'New',
    type: 'open',
    probability: 50,
    required_fields: [],
    stale_after_days: null,
  })
  const placement = { pipeline_id: pipeline.id, stage_id: stage.id }
  for (let nth = 1; nth <= 600; nth += 1) {
    const name = String(nth).padStart(3, '0')
    await storeOf(tx, 'tags').insert({
      ...base(0),
      id: `0191d2f0-0000-7000-8000-000000000${name}`,
      name,
      color: '#000000',
      key: name,
    })
  }
  for (const nth of [2, 3, 4]) {
    for (const [name, { of }] of Object.entries(FILTERS)) {
      const code = of.codePrefix !== null ? { entity_id: `${of.codePrefix}-${nth}` } : {}
      await storeOf(tx, name).insert({
        ...of.defaults,
        ...(name === 'deals' ? placement : {}),
        ...code,
        ...base(nth),
      })
    }
  }
}

test('no list scans its table, and a search reads its term index first', async () => {
  const { list, statements, close } = await createExplainingStorage(fillDatabase)
  for (const { name, filter, where, order_by } of CASES) {
    for (const order of ['asc', 'desc'] as const) {
      const { total } = await list(name, where, order_by, order)
      const label = `${name} by ${filter}, ${order_by} ${order}`
      const matchesMost = where.length > 0 && total === 3
      for (const { sql, steps } of statements
        .splice(0)
        .filter((each) => !/max\(rowid\)|live_rows|_terms|with found/.test(each.sql))) {
        expect(
          steps.filter((step) => step.startsWith(`SCAN ${name}`) && !step.includes('VIRTUAL TABLE')),
          label,
        ).toEqual([])
        if (matchesMost && !sql.includes('count(*)')) continue
        const unfiltered = steps.filter((step) => step.endsWith('(workspace_id=?)'))
        if (where.length > 0) expect(unfiltered, label).toEqual([])
        expect(steps.join('\n'), label).toMatch(expectedPlan(name, where))
      }
    }
  }
  close()
})

test('limits and equality parameters are not bare, so that SQLite does not replan per value', () => {
  const { compiler } = sqliteDialect
  const query = compiler
    .selectFrom('tags')
    .select('id')
    .where('name', '=', param<string>('name'))
    .where('key', '>=', param<string>('key'))
  const page = query.limit(param<number>('most')).offset(param<number>('skipped'))
  const raw = sql`select id from tags where name = ${param('name')} limit ${param('most')}`
  expect(compileStatement(page, compiler).sql).toBe(
    'select "id" from "tags" where "name" = +? and "key" >= ? limit +? offset ?',
  )
  expect(compileStatement(raw, compiler).sql).toBe('select id from tags where name = +? limit +?')
})

/**
 * Returns the expected plan: the index of the sort order without conditions, else the term index or the index
 * of a condition.
 */
function expectedPlan(name: string, where: Conditions): RegExp {
  if (where.length === 0)
    return new RegExp(`^SEARCH ${name} USING (COVERING )?INDEX \\w+ \\(workspace_id=\\?\\)$`)
  const hasTerms = where.some((condition) => 'hasTerm' in condition || 'hasPrefix' in condition)
  if (hasTerms) return new RegExp(`^SCAN ${name}_words VIRTUAL TABLE INDEX 0:M1`, 'm')
  return new RegExp(`^SEARCH ${name} USING (COVERING )?INDEX \\w+ \\(workspace_id=\\? AND \\w+[=<>]`, 'm')
}

test('an unfiltered list reads a stored total and skips rows in the index from the nearer end', async () => {
  const { read, statements, close } = await createExplainingStorage(fillDatabase)
  const page = (page: number, order: 'asc' | 'desc') =>
    read((tx) => storeOf(tx, 'tags').list({ page, per_page: 10, order_by: 'name', order, where: [] }))
  const results = [
    await page(1, 'asc'),
    await page(25, 'asc'),
    await page(60, 'asc'),
    await page(60, 'desc'),
    await page(70, 'asc'),
  ]
  expect(results.map(({ total }) => total)).toEqual([600, 600, 600, 600, 600])
  expect(results.map(({ rows }) => rows[0]?.['name'])).toEqual(['001', '241', '591', '010', undefined])
  const [totals, pages] = [
    statements.filter(({ sql }) => sql.includes('live_rows')),
    statements.filter(({ sql }) => !sql.includes('live_rows')),
  ]
  for (const { steps } of totals)
    expect(steps).toEqual(['SEARCH live_rows USING PRIMARY KEY (workspace_id=? AND table_name=?)'])
  for (const { steps } of pages)
    expect(steps).toEqual(['SEARCH tags USING INDEX tags_by_name (workspace_id=?)'])
  expect(totals).toHaveLength(5)
  expect(pages.map(({ values }) => values)).toEqual([
    [WORKSPACE, 10, 0],
    [WORKSPACE, 10, 240],
    [WORKSPACE, 10, 0],
    [WORKSPACE, 10, 0],
  ])
  close()
})

test('a page in the middle of a long list skips rows in a covering index', async () => {
  const { list, statements, close } = await createExplainingStorage((tx) => {
    const id = (nth: number) => `0191d2f0-0000-7000-8000-00000000${String(nth).padStart(4, '0')}`
    const tag = (nth: number) => ({
      id: id(nth),
      name: id(nth),
      color: '#000000',
      key: id(nth),
      created_at: BEFORE,
      updated_at: BEFORE,
    })
    return storeOf(tx, 'tags').insertMany(Array.from({ length: 2500 }, (_, nth) => tag(nth)) as never)
  })
  // Pages of 20 rows.
  const { rows } = await list('tags', [], 'name', 'asc', 60)
  expect(rows[0]!['name']).toMatch(/1180$/)
  const [page] = statements.filter(({ sql }) => sql.includes('offset'))
  expect(page!.steps).toContain('SEARCH tags USING COVERING INDEX tags_by_name (workspace_id=?)')
  expect(page!.steps.filter((step) => step.startsWith('SEARCH tags USING INDEX'))).toEqual([
    'SEARCH tags USING INDEX sqlite_autoindex_tags_1 (workspace_id=? AND id=?)',
  ])
  close()
})

test('when most rows match, they are read in page order without a sort', async () => {
  const { list, statements, close } = await createExplainingStorage(fillDatabase)
  await list('tasks', [{ field: 'completed', is: false }], 'due_date', 'desc')
  await list('products', [{ field: 'is_active', is: true }], 'name', 'asc')
  const pages = statements.filter(({ sql }) => sql.includes('limit')).map(({ steps }) => steps)
  expect(pages).toEqual([
    ['SEARCH tasks USING INDEX tasks_by_due_date (workspace_id=?)'],
    ['SEARCH products USING INDEX products_by_name (workspace_id=?)'],
  ])
  close()
})

test('omitted columns are not read, whatever the plan', async () => {
  const { read, statements, close } = await createExplainingStorage(fillDatabase)
  const omit = ['search_terms', 'tag_ids']
  const page = { page: 1, per_page: 20, order_by: 'created_at', order: 'desc', omit } as const
  await read(async (tx) => {
    const people = storeOf(tx, 'people')
    for (const where of [[], owner, twoTerms, [...oneTerm, ...owner]]) await people.list({ ...page, where })
    await people.list({ ...page, order_by: 'full_name', where: oneTerm })
  })
  const pages = statements.filter(({ sql }) => sql.includes('"custom_values"'))
  expect(pages.length).toBeGreaterThanOrEqual(4)
  expect(pages.filter(({ sql }) => /"(search_terms|tag_ids)",/.test(sql))).toEqual([])
  close()
})

test('counts and term counts read only the term index', async () => {
  const { list, countByTerm, statements, close } = await createExplainingStorage(fillDatabase)
  await countByTerm('people', ['ana', 'silva'])
  await list('people', twoTerms, 'full_name', 'asc')
  const counts = statements.filter(({ sql }) => sql.includes('count(*)'))
  expect(counts).toHaveLength(2)
  for (const { steps } of counts) {
    expect(steps.filter((step) => /\bpeople\b/.test(step))).toEqual([])
    expect(steps.filter((step) => step.startsWith('SCAN people_words VIRTUAL TABLE'))).toHaveLength(1)
  }
  close()
})

test.each([
  ['two terms', twoTerms],
  ['one term', oneTerm],
])('one statement counts and reads a page by creation for %s', async (_, where) => {
  const { list, statements, close } = await createExplainingStorage(fillDatabase)
  await list('people', where, 'created_at', 'desc')
  const [{ steps }, ...others] = statements.filter(({ sql }) => sql.includes('count(*)')) as [
    (typeof statements)[0],
  ]
  expect(others).toEqual([])
  // Rows in rowid order, as in the index.
  expect(steps.filter((step) => step.startsWith('SCAN people_words VIRTUAL TABLE'))).toEqual([
    'SCAN people_words VIRTUAL TABLE INDEX 0:M1',
    'SCAN people_words VIRTUAL TABLE INDEX 192:M1',
  ])
  // Matching rows, the first of all rows, and the rows beyond the page.
  expect(steps.filter((step) => /\bpeople\b/.test(step)).toSorted()).toEqual([
    'SEARCH people USING COVERING INDEX people_by_created_at (workspace_id=? AND created_at>?)',
    'SEARCH people USING COVERING INDEX people_by_created_at (workspace_id=?)',
    'SEARCH people USING INTEGER PRIMARY KEY (rowid=?)',
  ])
  close()
})

test('conditions on other records and aggregates use an index', async () => {
  const { read, statements, close } = await createExplainingStorage(fillDatabase)
  const hasNone = (collection: 'tasks' | 'activities', field: string) =>
    ({ field: 'id', notExists: { collection, foreignKey: 'deal_id', field, from: AT } }) as const
  const stale: Conditions = [
    ...equalsId('pipeline_id'),
    hasNone('activities', 'created_at'),
    hasNone('tasks', 'updated_at'),
  ]
  const ofPerson: Conditions = [
    { field: 'deal_id', whereRelated: { collection: 'deals', where: [{ field: 'person_id', is: ID }] } },
  ]
  await read(async (tx) => {
    await storeOf(tx, 'deals').list({
      page: 1,
      per_page: 20,
      order_by: 'updated_at',
      order: 'asc',
      where: stale,
    })
    await storeOf(tx, 'stage_moves').aggregate({ where: ofPerson, groupBy: [], order: 'count', limit: 1 })
    const groupBy = [{ field: 'stage_id' }, { field: 'currency' }]
    await storeOf(tx, 'deals').aggregate({
      where: equalsId('pipeline_id'),
      groupBy,
      sum: 'amount',
      order: 'sum',
      limit: 10,
    })
    await storeOf(tx, 'deals').medianDuration({
      where: equalsId('pipeline_id'),
      from: 'created_at',
      to: 'closed_at',
    })
  })
  const steps = statements.filter(({ sql }) => !sql.includes('max(rowid)')).flatMap((each) => each.steps)
  const searches = steps.filter((step) => /^(SCAN|SEARCH) (deals|stage_moves|activities|tasks)\b/.test(step))
  expect(searches.filter((step) => step.startsWith('SCAN') || step.endsWith('(workspace_id=?)'))).toEqual([])
  const holders = searches.filter((step) => /^SEARCH (activities|tasks) /.test(step))
  expect(holders.length).toBeGreaterThanOrEqual(4)
  expect(holders.filter((step) => !step.includes('deal_id=?'))).toEqual([])
  expect(searches.filter((step) => /^SEARCH deals .*person_id=\?/.test(step))).toHaveLength(1)
  close()
})

describe('a board reads its own indexes', () => {
  const inStage = equalsId('stage_id')

  async function explain(work: (tx: Transaction) => Promise<unknown>): Promise<string> {
    const { read, statements, close } = await createExplainingStorage(fillDatabase)
    await read(work)
    close()
    return statements.flatMap(({ steps }) => steps).join('\n')
  }
  const list = (tx: Transaction, name: string, where: Conditions, order_by: string) =>
    storeOf(tx, name).list({ page: 1, per_page: 20, order_by, order: 'asc', where })

  test.each(['amount', 'closed_at'])('for the cards of a stage by %s, without sorting', async (order_by) => {
    const plan = await explain((tx) => list(tx, 'deals', inStage, order_by))
    expect(plan).toContain(`USING INDEX deals_of_stage_by_${order_by} (workspace_id=? AND stage_id=?)`)
    expect(plan).not.toContain('TEMP B-TREE')
  })

  test('for the deals that closed since a time', async () => {
    const where: Conditions = [...inStage, { field: 'closed_at', from: AT }]
    const plan = await explain((tx) => list(tx, 'deals', where, 'closed_at'))
    expect(plan).toContain('deals_of_stage_by_closed_at (workspace_id=? AND stage_id=? AND closed_at>?)')
  })

  test('for the sums of a stage, without its rows', async () => {
    const groupBy = [{ field: 'stage_id' }, { field: 'currency' }]
    const sum = (where: Conditions) => (tx: Transaction) =>
      storeOf(tx, 'deals').aggregate({ where, groupBy, sum: 'amount', order: 'count', limit: 10 })
    expect(await explain(sum(inStage))).toContain('USING COVERING INDEX deals_of_stage_by_')
    expect(await explain(sum([...inStage, { field: 'closed_at', from: AT }]))).toContain(
      'USING COVERING INDEX deals_of_stage_by_closed_at',
    )
  })

  test('for the open tasks of its deals', async () => {
    const open: Conditions = [
      { field: 'deal_id', oneOf: [ID, WORKSPACE] },
      { field: 'completed', is: false },
    ]
    const index = 'tasks_of_deal_by_due_date (workspace_id=? AND deal_id=? AND completed=?'
    const due: Conditions = [...open, { field: 'due_date', from: AT }]
    expect(await explain((tx) => list(tx, 'tasks', due, 'due_date'))).toContain(index)
    const undated: Conditions = [...open, { field: 'due_date', is: null }]
    expect(await explain((tx) => list(tx, 'tasks', undated, 'created_at'))).toContain(index)
  })
})

test('a total of what a team sees is that of its owners, and of shares in the term index', async () => {
  const { list, statements, close } = await createExplainingStorage(fillDatabase)
  const ofTeam: Conditions = [
    {
      anyOf: [
        { field: 'owner_user_id', is: null },
        { field: 'owner_user_id', oneOf: [ID] },
        { field: 'search_terms', hasAnyTerm: ['_share_1'] },
      ],
    },
  ]
  const { total, rows } = await list('people', ofTeam, 'full_name', 'asc')
  expect([total, rows.length]).toEqual([3, 3])
  const searchesOf = (part: string) =>
    statements
      .find(({ sql }) => sql.includes(part))!
      .steps.filter((step) => /^(SEARCH|SCAN) (people|owner_rows)/.test(step))
  expect(searchesOf('owner_rows')).toEqual([
    'SEARCH owner_rows USING PRIMARY KEY (workspace_id=? AND table_name=? AND owner_user_id=?)',
  ])
  expect(searchesOf('count(*)')).toEqual([
    'SCAN people_words VIRTUAL TABLE INDEX 0:M1',
    'SEARCH people USING INTEGER PRIMARY KEY (rowid=?)',
  ])
  close()
})
