import type pg from 'pg'
import type { PoolOptions } from '../pool-options.ts'
import { migrationPool } from '../wire/pool.ts'

/** True if the rows of workspaces are spread over several servers. */
export async function readIsDistributed(options: PoolOptions): Promise<boolean> {
  const pool = migrationPool(options)
  try {
    if (!(await isTrue(pool, "to_regclass('pg_dist_partition') is not null"))) return false
    return await isTrue(
      pool,
      "exists (select from pg_dist_partition where partmethod = 'h' and logicalrelid = to_regclass('deliveries'))",
    )
  } finally {
    await pool.end()
  }
}

/** @param condition an expression of SQL */
export async function isTrue(database: Pick<pg.Pool, 'query'>, condition: string): Promise<boolean> {
  const { rows } = await database.query<{ is_true: boolean }>(`select ${condition} as is_true`)
  return rows[0]!.is_true
}
