import { type Connection, sqlStorage } from '@sales-crm/sql'
import type pg from 'pg'
import { postgresDialect } from '../../src/dialect/postgres-dialect.ts'

/** A step of `explain (format json)`. */
interface PlanStep {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly 'Total Cost': number
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanStep[]
}

/**
 * Creates a storage that plans each statement with its values, and records the rows that each step read and
 * the estimated cost of each statement.
 */
export function createExplainingStorage(client: pg.Client) {
  /** By index, or by table for a sequential scan. */
  const rowsRead: { index: string | undefined; rows: number }[] = []
  const costs: number[] = []
  const explain = async (sql: string, values: readonly unknown[]) => {
    await client.query('savepoint explained')
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${sql}`, [...values])
    await client.query('rollback to savepoint explained')
    const [plan] = rows[0]['QUERY PLAN'] as [{ Plan: PlanStep }]
    costs.push(plan.Plan['Total Cost'])
    const scans = flattenPlan(plan.Plan).filter(
      (step) => step['Node Type'].includes('Scan') && (step['Relation Name'] ?? step['Index Name']),
    )
    // The rows of a bitmap heap scan are counted at its index.
    const steps = scans.filter((step) => step['Node Type'] !== 'Bitmap Heap Scan')
    for (const step of steps) {
      const each = step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)
      rowsRead.push({
        index: step['Index Name'] ?? step['Relation Name'],
        rows: Math.round(each * step['Actual Loops']),
      })
    }
    return client.query(sql, [...values])
  }
  const connection: Connection = {
    query: async ({ sql }, values) => (await explain(sql, values)).rows,
    execute: async ({ sql }, values) => (await explain(sql, values)).rowCount ?? 0,
    executeMany: rejectUse,
    savepoint: rejectUse,
  }
  const transact = async <T>(work: (connection: Connection) => Promise<T>) => {
    await client.query('begin')
    return work(connection).finally(() => client.query('rollback'))
  }
  const storage = sqlStorage(
    {
      transact,
      read: rejectUse,
      check: rejectUse,
      close: rejectUse,
    },
    postgresDialect,
  )
  return { rowsRead, costs, transact: storage.transact }
}

const rejectUse = () => Promise.reject(new Error('Not used here.'))

export function touchedIndexes(
  rowsRead: readonly { index: string | undefined; rows: number }[],
): Set<string | undefined> {
  return new Set(rowsRead.flatMap(({ index, rows }) => (rows > 0 ? [index] : [])))
}

function flattenPlan(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(flattenPlan)]
}
