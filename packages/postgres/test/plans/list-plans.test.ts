import { randomUUID } from 'node:crypto'
import { companies, deals, people, products, tasks } from '@sales-crm/core'
import type { Condition, RecordBase, RecordStore, Transaction } from '@sales-crm/core/ports'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'
import { postgresStorage } from '../../src/index.ts'
import { clientConfig } from '../../src/wire/pool.ts'
import { freshDatabase } from '../fresh-database.ts'

type AnyRecord = RecordBase & Readonly<Record<string, unknown>>
type Conditions = readonly Condition<AnyRecord>[]

interface ResourceKind {
  readonly orderBy: readonly string[]
  readonly defaults: object
  readonly codePrefix: string | null
}

/** A step of a plan, as PostgreSQL tells it. */
interface PlanStep {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Rows'?: number
  readonly Plans?: readonly PlanStep[]
}

const server = inject('postgresUrl')
/** One workspace has most rows, and there are small ones beside it. */
const WORKSPACES = Array.from({ length: 5 }, () => randomUUID())
const [WORKSPACE] = WORKSPACES as [string]
const ROWS = 12_000
/** Of each of these a few records have the first, some the second, most the third. */
const IDS = [randomUUID(), randomUUID(), randomUUID()] as const
const [FEW] = IDS

const instantAt = (nth: number) => new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString()
const equalsFew = (field: string): Conditions => [{ field, is: FEW }]
const LATE = instantAt(ROWS - 30)
const word: Conditions = [{ field: 'search_terms', hasPrefix: 'ana' }]
const common: Conditions = [{ field: 'search_terms', hasPrefix: 'exam' }]
const tag: Conditions = [{ field: 'search_terms', hasTerm: '_tag_1' }]
const words: Conditions = [...common, { field: 'search_terms', hasPrefix: 'rare' }]
const owner = equalsFew('owner_user_id')
const updated: Conditions = [{ field: 'updated_at', from: LATE }]
const SEARCHES = {
  word,
  common,
  words,
  tag,
  'search, tag and owner': [...common, ...tag, ...owner],
  'search and updated': [...word, ...updated],
}
const OWNED = {
  owner,
  'big owner': [{ field: 'owner_user_id', is: IDS[2] }],
  updated,
  'owner and updated': [...owner, ...updated],
} as const
const LINKED = { person_id: equalsFew('person_id'), company_id: equalsFew('company_id') }

/** What each list may be narrowed by. */
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
      'status and search': [...word, { field: 'stage_id', oneOf: [IDS[2]] }],
    },
  },
  tasks: {
    of: tasks,
    by: {
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
  products: {
    of: products,
    by: {
      word,
      words,
      active: [{ field: 'is_active', is: true }],
      'on hold': [...common, { field: 'is_active', is: false }],
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

/** The few come last in each order, so that a walk would meet them late. */
function makeRow({ of }: { readonly of: ResourceKind }, nth: number): AnyRecord {
  const rank = nth > ROWS - 10 ? 0 : nth % 20 === 1 ? 1 : 2
  const text = `${rank === 0 ? 'z' : 'a'} ${nth}`
  const linked = Object.fromEntries(
    Object.keys(of.defaults).flatMap((field) =>
      field.endsWith('_id') && field !== 'entity_id' ? [[field, IDS[rank]]] : [],
    ),
  )
  const own: Record<string, unknown> = {
    ...linked,
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
  // As wide as real ones: narrow tables are scanned where wide ones are not.
  const wide = {
    custom_values: { note: 'x'.repeat(400) },
    notes: 'x'.repeat(400),
    description: 'x'.repeat(400),
  }
  const every = { ...wide, ...own, ...dates, search_terms, entity_id: `${of.codePrefix}-${nth}` }
  const known = new Set([...Object.keys(of.defaults), 'created_at', 'updated_at'])
  return {
    ...of.defaults,
    ...Object.fromEntries(Object.entries(every).filter(([field]) => known.has(field))),
    id: randomUUID(),
  } as unknown as AnyRecord
}

async function fillDatabase(url: string): Promise<void> {
  const storage = await postgresStorage({ url })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  // Rows alone matter here: what they refer to, and when, does not.
  // Of this database alone: other tests run on the server at the same time.
  const role = `alter role current_user in database ${new URL(url).pathname.slice(1)}`
  await admin.query(`${role} set session_replication_role = 'replica'`)
  await storage.close()
  const filling = await postgresStorage({ url })
  for (const [name, filter] of Object.entries(FILTERS)) {
    for (const [place, workspace] of WORKSPACES.entries()) {
      const rows = Array.from({ length: place === 0 ? ROWS : 200 }, (_, nth) => makeRow(filter, nth))
      await filling.transact((tx) => storeOf(tx, name, workspace).insertMany(rows))
    }
  }
  await filling.close()
  await admin.query(`${role} reset session_replication_role`)
  await admin.query('vacuum analyze')
  await admin.end()
}

interface ExplainedStatement {
  readonly sql: string
  readonly steps: readonly PlanStep[]
}

/** Reads as the store does, but only to hear how each statement is run in a session that plans as it says. */
function createExplainingStorage(client: pg.Client) {
  const sent: ExplainedStatement[] = []
  const connection: Connection = {
    async query({ sql, plan: planMode }, values) {
      const mode = planMode === 'custom' ? 'force_custom_plan' : 'force_generic_plan'
      const given = values.map((value) =>
        client.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value)),
      )
      const explained = `explain (analyze, timing off, format json) execute asked (${given})`
      const results = await client.query(
        `set plan_cache_mode = ${mode}; prepare asked as ${sql}; ${explained}; deallocate asked`,
      )
      const [plan] = (results as unknown as pg.QueryResult[])[2]!.rows[0]['QUERY PLAN'] as [
        { Plan: PlanStep },
      ]
      sent.push({ sql, steps: flattenPlan(plan.Plan) })
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
  return { read: storage.read, sent }
}

/** Kept totals and versions are in tables of a few rows. */
function isAboutRecords(sql: string): boolean {
  return !sql.startsWith('select coalesce(sum(total)') && !sql.includes('settings_versions')
}

function isCount(sql: string): boolean {
  return sql.startsWith('select count(*)')
}

/**
 * To count nearly all rows, the table is as good as an index: which it is hangs on how lately it was
 * vacuumed. No page may read so.
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

describe.runIf(server !== null)('with thousands of rows of each kind', () => {
  test('no list walks its table, and one by words asks their index first', async () => {
    const url = await freshDatabase(server!)
    await fillDatabase(url)
    const client = new pg.Client(clientConfig({ url }))
    await client.connect()
    const { read, sent } = createExplainingStorage(client)
    for (const { name, filter, where, order_by } of CASES) {
      for (const order of ['asc', 'desc'] as const) {
        await read((tx) => storeOf(tx, name).list({ page: 1, per_page: 20, order_by, order, where }))
        const byWords = where.some((condition) => 'hasTerm' in condition || 'hasPrefix' in condition)
        for (const { sql, steps } of sent.splice(0).filter((each) => isAboutRecords(each.sql))) {
          const says = `${name} by ${filter}, ${order_by} ${order}: ${JSON.stringify(steps)}`
          const ofRecords = steps.filter(
            (step) => step['Node Type'].includes('Scan') && step['Relation Name'] !== 'live_rows',
          )
          const read = ofRecords.filter((step) => !(isCount(sql) && isFullRead(step)))
          expect(
            read.filter((step) => step['Node Type'] === 'Seq Scan'),
            says,
          ).toEqual([])
          const indexes = new Set(read.flatMap((step) => step['Index Name'] ?? []))
          if (byWords) expect(indexes, says).toEqual(new Set([`${name}_words`, `${name}_pkey`]))
          // Of twelve thousand rows: where few match, few others are read.
          const removed = byWords ? [] : read.map((step) => step['Rows Removed by Filter'] ?? 0)
          expect(Math.max(0, ...removed), says).toBeLessThan(700)
        }
      }
    }
    // Walked to from the end, and in the middle through the index alone.
    for (const order_by of people.orderBy) {
      const page = (page: number) =>
        read((tx) => storeOf(tx, 'people').list({ page, per_page: 20, order_by, order: 'desc', where: [] }))
      await page(ROWS / 20)
      await page(ROWS / 40)
      const [last, middle] = sent.splice(0).filter((each) => isAboutRecords(each.sql))
      const scans = (each: ExplainedStatement | undefined) =>
        each!.steps.filter((step) => step['Node Type'].includes('Scan'))
      expect(scans(last), order_by).toMatchObject([
        { 'Node Type': 'Index Scan', 'Index Name': `people_by_${order_by}`, 'Actual Rows': 20 },
      ])
      const [walk, ...looks] = scans(middle).toSorted((a, b) => b['Actual Rows']! - a['Actual Rows']!)
      expect(walk, order_by).toMatchObject({
        'Node Type': 'Index Only Scan',
        'Index Name': `people_by_${order_by}`,
        'Actual Rows': ROWS / 2,
      })
      for (const look of looks.filter((each) => each['Index Name']))
        expect(look, order_by).toMatchObject({ 'Index Name': 'people_pkey' })
      expect(
        scans(middle).filter((step) => step['Node Type'] === 'Seq Scan'),
        order_by,
      ).toEqual([])
    }
    for (const name of ['people', 'companies', 'deals', 'products']) {
      await read((tx) => storeOf(tx, name).countByTerm('search_terms', ['ana', '_tag_1']))
      const indexes = sent.splice(0).flatMap(({ steps }) => steps.flatMap((step) => step['Index Name'] ?? []))
      expect(indexes, `tally of ${name}`).toEqual([`${name}_words`])
    }
    await client.end()
  })
})
