import { randomUUID } from 'node:crypto'
import { type Connection, sqlStorage } from '@sales-crm/sql'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresDialect } from '../src/dialect.ts'
import { postgresStorage } from '../src/index.ts'
import { clientConfig } from '../src/pool.ts'
import { AT, after, CLAIM, delivery } from './deliveries.ts'
import { freshDatabase } from './fresh-database.ts'

/** A step of a plan, as PostgreSQL tells it. */
interface Step {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Step[]
}

const server = inject('postgresUrl')
const MANY = 10_000
/** What the planner was last told of the table. */
const TOLD = ['when it was empty', 'as it is']

/** Ten thousand that are due for a dead host, as many to be tried later, as many over, and one for another host. */
async function filled(): Promise<string> {
  const url = await freshDatabase(server!)
  const storage = await postgresStorage({ url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  const many = (host: string, due: (nth: number) => string | null) =>
    Array.from({ length: MANY }, (_, nth) => delivery({ host, due_at: due(nth), body: 'x'.repeat(400), created_at: after(-nth) }))
  const rows = [
    ...many('dead.example', (nth) => after(-nth - 1000)),
    ...many('later.example', (nth) => after(nth % 900)),
    ...many('over.example', () => null),
    delivery({ host: 'other.example' }),
  ]
  await storage.transact((tx) => tx.workspace(randomUUID()).deliveries.insertMany(rows))
  await storage.close()
  await client.end()
  return url
}

/** Works as the store does, planned with the values of each statement, and says how many rows of the table each step met. */
function explaining(client: pg.Client) {
  const met: { index: string | undefined; rows: number }[] = []
  const explain = async (sql: string, values: readonly unknown[]) => {
    await client.query('savepoint before')
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${sql}`, [...values])
    await client.query('rollback to savepoint before')
    const [plan] = rows[0]['QUERY PLAN'] as [{ Plan: Step }]
    const steps = flat(plan.Plan).filter((step) => step['Node Type'].includes('Scan') && (step['Relation Name'] ?? step['Index Name']))
    for (const step of steps) {
      const each = step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)
      met.push({ index: step['Index Name'], rows: Math.round(each * step['Actual Loops']) })
    }
    return client.query(sql, [...values])
  }
  const connection: Connection = {
    rows: async ({ sql }, values) => (await explain(sql, values)).rows,
    run: async ({ sql }, values) => (await explain(sql, values)).rowCount ?? 0,
    write: never,
    attempt: never,
  }
  const transact = async <T>(work: (connection: Connection) => Promise<T>) => {
    await client.query('begin')
    return work(connection).finally(() => client.query('rollback'))
  }
  const storage = sqlStorage({ transact, transactUnsynced: never, read: never, check: never, close: never }, postgresDialect)
  return { met, transact: storage.transact }
}

const never = () => Promise.reject(new Error('Not used here.'))

function flat(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(flat)]
}

describe.runIf(server !== null)('with ten thousand deliveries for a dead host, and as many for later', () => {
  test.each(TOLD)('a claim reads hardly more rows than it takes, where the planner knows the table %s', async (told) => {
    const client = new pg.Client(clientConfig({ url: await filled() }))
    await client.connect()
    if (told === 'as it is') await client.query('analyze')
    const { transact, met } = explaining(client)
    const claim = (room: ReadonlyMap<string, number>) => transact((tx) => tx.outbox.claim({ ...CLAIM, most: 50, mostPerHost: 20, room }))
    const without = await claim(new Map([['dead.example', 0]]))
    expect(without.map(({ delivery }) => delivery.host).sort()).toEqual([
      'later.example',
      ...Array(11).fill('later.example'),
      'other.example',
    ])
    expect(await claim(new Map())).toHaveLength(33)
    const indexes = new Set(met.flatMap(({ index }) => (index === undefined ? [] : [index])))
    expect(indexes).toEqual(new Set(['deliveries_waiting', 'deliveries_pkey']))
    const says = JSON.stringify(met)
    expect(Math.max(...met.map(({ rows }) => rows)), says).toBeLessThanOrEqual(60)
    expect(
      met.filter(({ index }) => index === undefined).reduce((sum, { rows }) => sum + rows, 0),
      says,
    ).toBeLessThan(100)
    await client.end()
  })

  test('what is over is forgotten by its age, without a look at what waits', async () => {
    const client = new pg.Client(clientConfig({ url: await filled() }))
    await client.connect()
    const { transact, met } = explaining(client)
    expect(await transact((tx) => tx.outbox.forget(AT, 50))).toBe(50)
    expect(new Set(met.map(({ index }) => index))).toEqual(new Set(['deliveries_over', 'deliveries_pkey']))
    expect(Math.max(...met.map(({ rows }) => rows))).toBeLessThanOrEqual(50)
    await client.end()
  })
})
