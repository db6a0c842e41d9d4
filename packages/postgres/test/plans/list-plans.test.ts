import { randomUUID } from 'node:crypto'
import { RESOURCES } from '@sales-crm/core/declarations'
import type { Condition, RecordBase, RecordStore, Transaction } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { clientConfig } from '../../src/wire/pool.ts'
import { freshDatabase } from '../fresh-database.ts'

const { activities, companies, deals, people, products, tasks } = RESOURCES

type AnyRecord = RecordBase & Readonly<Record<string, unknown>>
type Conditions = readonly Condition<AnyRecord>[]

interface ResourceKind {
  readonly orderBy: readonly string[]
  readonly defaults: object
  readonly codePrefix: string | null
}

/** A step of `explain (format json)`. */
interface PlanStep {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Rows'?: number
  readonly Plans?: readonly PlanStep[]
}

const server = inject('postgresUrl')
/** The first workspace has most rows; the others are small. */
const WORKSPACES = Array.from({ length: 5 }, () => randomUUID())
const [WORKSPACE] = WORKSPACES as [string]
const ROWS = 12_000
/** A few records reference the first id, some the second, most the third. */
const IDS = [randomUUID(), randomUUID(), randomUUID()] as const
const [FEW] = IDS

const instantAt = (nth: number) => new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString()
const equalsFew = (field: string): Conditions => [{ field, is: FEW }]
const LATE = instantAt(ROWS - 30)
const oneTerm: Conditions = [{ field: 'search_terms', hasPrefix: 'ana' }]
const commonTerm: Conditions = [{ field: 'search_terms', hasPrefix: 'exam' }]
const tag: Conditions = [{ field: 'search_terms', hasTerm: '_tag_1' }]
const twoTerms: Conditions = [...commonTerm, { field: 'search_terms', hasPrefix: 'rare' }]
const owner = equalsFew('owner_user_id')
const updated: Conditions = [{ field: 'updated_at', from: LATE }]
const SEARCHES = {
  'one term': oneTerm,
  'common term': commonTerm,
  'two terms': twoTerms,
  tag,
  'search, tag and owner': [...commonTerm, ...tag, ...owner],
  'search and updated': [...oneTerm, ...updated],
  'search beside alternatives': [...oneTerm, { anyOf: [...owner, { not: updated[0]! }] }],
}
const OWNED = {
  owner,
  'big owner': [{ field: 'owner_user_id', is: IDS[2] }],
  updated,
  'owner and updated': [...owner, ...updated],
  'owner beside alternatives': [...owner, { anyOf: [...updated, { not: owner[0]! }] }],
} as const
const ofCompanies: Conditions = [
  { anyOf: [{ allOf: twoTerms }, { field: 'company_id', oneOf: [FEW, randomUUID()] }] },
]
const LINKED = { person_id: equalsFew('person_id'), company_id: equalsFew('company_id') }

/** The filters of each list. */
const FILTERS: Readonly<
  Record<string, { readonly of: ResourceKind; readonly by: Readonly<Record<string, Conditions>> }>
> = {
  people: { of: people, by: { ...SEARCHES, ...OWNED, company_id: equalsFew('company_id') } },
  companies: { of: companies, by: { ...SEARCHES, ...OWNED } },
  deals: {
    of: deals,
    by: {
      ...SEARCHES,
      ...OWNED,
      ...LINKED,
      pipeline_id: equalsFew('pipeline_id'),
      stage_id: equalsFew('stage_id'),
      status: [{ field: 'stage_id', oneOf: [FEW, randomUUID()] }],
      'status of most': [{ field: 'stage_id', oneOf: [IDS[2], randomUUID()] }],
      'status and search': [...oneTerm, { field: 'stage_id', oneOf: [IDS[2]] }],
      'search of companies': ofCompanies,
      'search of companies, and owner': [...owner, ...ofCompanies],
      entity_id: [{ field: 'entity_id', is: 'D-7' }],
    },
  },
  tasks: {
    of: tasks,
    by: {
      ...SEARCHES,
      ...LINKED,
      owner,
      deal_id: equalsFew('deal_id'),
      done: [{ field: 'completed', is: true }],
      open: [{ field: 'completed', is: false }],
      due_after: [{ field: 'due_date', from: LATE }],
      due_before: [{ field: 'due_date', to: instantAt(20) }],
      'due within': [
        { field: 'due_date', from: instantAt(20) },
        { field: 'due_date', to: instantAt(50) },
      ],
      'done and due': [
        { field: 'completed', is: true },
        { field: 'due_date', to: LATE },
      ],
    },
  },
  activities: {
    of: activities,
    by: { 'one term': oneTerm, 'two terms': twoTerms, 'common term': commonTerm },
  },
  products: {
    of: products,
    by: {
      'one term': oneTerm,
      'two terms': twoTerms,
      active: [{ field: 'is_active', is: true }],
      'on hold': [...commonTerm, { field: 'is_active', is: false }],
    },
  },
}

const CASES = Object.entries(FILTERS).flatMap(([name, { of, by }]) =>
  Object.entries({ nothing: [], ...by }).flatMap(([filter, where]) =>
    of.orderBy.map((order_by) => ({ name, filter, where, order_by })),
  ),
)

function storeOf(tx: Transaction, name: string, workspace = WORKSPACE): RecordStore<AnyRecord> {
  return tx.workspace(workspace)[name as 'people'] as unknown as RecordStore<AnyRecord>
}

/** The rare rows come last in each order, so that a scan in order would reach them late. */
function makeRow({ of }: { readonly of: ResourceKind }, nth: number): AnyRecord {
  const rank = nth > ROWS - 10 ? 0 : nth % 20 === 1 ? 1 : 2
  const text = `${rank === 0 ? 'z' : 'a'} ${nth}`
  const references = Object.fromEntries(
    Object.keys(of.defaults).flatMap((field) =>
      field.endsWith('_id') && field !== 'entity_id' ? [[field, IDS[rank]]] : [],
    ),
  )
  const fields: Record<string, unknown> = {
    ...references,
    full_name: text,
    name: text,
    title: text,
    code: null,
    completed: rank !== 2,
    is_active: rank === 2,
  }
  const dates = {
    due_date: nth % 3 === 0 ? null : instantAt(nth),
    created_at: instantAt(nth),
    updated_at: instantAt(nth),
  }
  const search_terms = `${nth % 9 === 0 ? 'ana' : 'rita'} example${nth % 50 === 0 ? ' _tag_1' : ''}${rank === 0 ? ' rare' : ''}`
  // As wide as real rows: narrow tables would be scanned sequentially where wide ones are not.
  const wide = {
    custom_values: { note: 'x'.repeat(400) },
    notes: 'x'.repeat(400),
    description: 'x'.repeat(400),
  }
  const allFields = { ...wide, ...fields, ...dates, search_terms, entity_id: `${of.codePrefix}-${nth}` }
  const fieldNames = new Set([...Object.keys(of.defaults), 'created_at', 'updated_at'])
  return {
    ...of.defaults,
    ...Object.fromEntries(Object.entries(allFields).filter(([field]) => fieldNames.has(field))),
    id: randomUUID(),
  } as unknown as AnyRecord
}

async function fillDatabase(url: string): Promise<void> {
  const storage = await postgresStorage({ url })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  // Disables foreign keys and triggers for this database only: other tests use the same server.
  const role = `alter role current_user in database ${new URL(url).pathname.slice(1)}`
  await admin.query(`${role} set session_replication_role = 'replica'`)
  await storage.close()
  const fillingStorage = await postgresStorage({ url })
  for (const [name, filter] of Object.entries(FILTERS)) {
    for (const [position, workspace] of WORKSPACES.entries()) {
      const rows = Array.from({ length: position === 0 ? ROWS : 200 }, (_, nth) => makeRow(filter, nth))
      await fillingStorage.transact((tx) => storeOf(tx, name, workspace).insertMany(rows))
    }
  }
  await fillingStorage.close()
  await admin.query(`${role} reset session_replication_role`)
  await admin.query('vacuum analyze')
  await admin.end()
}

interface ExplainedStatement {
  readonly sql: string
  readonly steps: readonly PlanStep[]
}

/**
 * Creates a storage whose statements are only explained, with generic or custom plans as each statement
 * requires.
 */
function createExplainingStorage(client: pg.Client) {
  const statements: ExplainedStatement[] = []
  const connection: Connection = {
    async query({ sql, plan: planMode }, values) {
      const mode = planMode === 'custom' ? 'force_custom_plan' : 'force_generic_plan'
      const parameters = values.map((value) =>
        client.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value)),
      )
      const explainSql = `explain (analyze, timing off, format json) execute explained (${parameters})`
      const results = await client.query(
        `set plan_cache_mode = ${mode}; prepare explained as ${sql}; ${explainSql}; deallocate explained`,
      )
      const [plan] = (results as unknown as pg.QueryResult[])[2]!.rows[0]['QUERY PLAN'] as [
        { Plan: PlanStep },
      ]
      statements.push({ sql, steps: flattenPlan(plan.Plan) })
      return sql.includes('live_rows') ? [{ total: ROWS }] : [{ total: 0 }, { total: 0 }]
    },
    execute: rejectUse,
    executeMany: rejectUse,
    savepoint: rejectUse,
  }
  const storage = sqlStorage(
    {
      read: (work) => work(connection),
      transact: rejectUse,
      check: rejectUse,
      close: rejectUse,
    },
    postgresDialect,
  )
  return { read: storage.read, statements }
}

/** Excludes reads of stored totals and settings versions, whose tables have few rows. */
function isAboutRecords(sql: string): boolean {
  return !sql.startsWith('select coalesce(sum(total)') && !sql.includes('settings_versions')
}

function isCount(sql: string): boolean {
  return sql.startsWith('select count(*)')
}

/**
 * A sequential scan that keeps nearly all rows. Counting may use it instead of an index, depending on the
 * last vacuum; pages may not.
 */
function isFullRead(step: PlanStep): boolean {
  return (
    step['Node Type'] === 'Seq Scan' && (step['Rows Removed by Filter'] ?? 0) * 4 < (step['Actual Rows'] ?? 0)
  )
}

const rejectUse = () => Promise.reject(new Error('Not used here.'))

function flattenPlan(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(flattenPlan)]
}

describe.runIf(server !== null)('with thousands of rows per collection', () => {
  test('no list scans its table, and a search reads its term index first', async () => {
    const url = await freshDatabase(server!)
    await fillDatabase(url)
    const client = new pg.Client(clientConfig({ url }))
    await client.connect()
    const { read, statements } = createExplainingStorage(client)
    for (const { name, filter, where, order_by } of CASES) {
      for (const order of ['asc', 'desc'] as const) {
        await read((tx) => storeOf(tx, name).list({ page: 1, per_page: 20, order_by, order, where }))
        const hasTerms = where.some((condition) => 'hasTerm' in condition || 'hasPrefix' in condition)
        for (const { sql, steps } of statements.splice(0).filter((each) => isAboutRecords(each.sql))) {
          const label = `${name} by ${filter}, ${order_by} ${order}: ${JSON.stringify(steps)}`
          const recordScans = steps.filter(
            (step) => step['Node Type'].includes('Scan') && step['Relation Name'] !== 'live_rows',
          )
          const checkedScans = recordScans.filter((step) => !(isCount(sql) && isFullRead(step)))
          expect(
            checkedScans.filter((step) => step['Node Type'] === 'Seq Scan'),
            label,
          ).toEqual([])
          const indexes = new Set(checkedScans.flatMap((step) => step['Index Name'] ?? []))
          if (hasTerms) expect(indexes, label).toEqual(new Set([`${name}_words`, `${name}_pkey`]))
          // A selective filter reads few of the twelve thousand rows.
          const removed = hasTerms ? [] : checkedScans.map((step) => step['Rows Removed by Filter'] ?? 0)
          expect(Math.max(0, ...removed), label).toBeLessThan(700)
        }
      }
    }
    // The last page is read from the end, the middle page in a covering index.
    for (const order_by of people.orderBy) {
      const page = (page: number) =>
        read((tx) => storeOf(tx, 'people').list({ page, per_page: 20, order_by, order: 'desc', where: [] }))
      await page(ROWS / 20)
      await page(ROWS / 40)
      const [last, middle] = statements.splice(0).filter((each) => isAboutRecords(each.sql))
      const scans = (each: ExplainedStatement | undefined) =>
        each!.steps.filter((step) => step['Node Type'].includes('Scan'))
      expect(scans(last), order_by).toMatchObject([
        { 'Node Type': 'Index Scan', 'Index Name': `people_by_${order_by}`, 'Actual Rows': 20 },
      ])
      const [longest, ...lookups] = scans(middle).toSorted((a, b) => b['Actual Rows']! - a['Actual Rows']!)
      expect(longest, order_by).toMatchObject({
        'Node Type': 'Index Only Scan',
        'Index Name': `people_by_${order_by}`,
        'Actual Rows': ROWS / 2,
      })
      for (const lookup of lookups.filter((each) => each['Index Name']))
        expect(lookup, order_by).toMatchObject({ 'Index Name': 'people_pkey' })
      expect(
        scans(middle).filter((step) => step['Node Type'] === 'Seq Scan'),
        order_by,
      ).toEqual([])
    }
    for (const name of ['people', 'companies', 'deals', 'products']) {
      await read((tx) => storeOf(tx, name).countByTerm('search_terms', ['ana', '_tag_1']))
      const indexes = statements
        .splice(0)
        .flatMap(({ steps }) => steps.flatMap((step) => step['Index Name'] ?? []))
      expect(indexes, `term counts of ${name}`).toEqual([`${name}_words`])
    }
    await client.end()
  })
})
