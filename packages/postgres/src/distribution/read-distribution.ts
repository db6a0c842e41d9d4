import type { PoolOptions } from '../pool-options.ts'
import { migrationPool } from '../wire/pool.ts'

/** True if the rows of workspaces are spread over several servers. */
export async function readIsDistributed(options: PoolOptions): Promise<boolean> {
  const pool = migrationPool(options)
  try {
    const has = async (condition: string) =>
      (await pool.query<{ is_true: boolean }>(`select ${condition} as is_true`)).rows[0]!.is_true
    if (!(await has("to_regclass('pg_dist_partition') is not null"))) return false
    return await has(
      "exists (select from pg_dist_partition where partmethod = 'h' and logicalrelid = to_regclass('deliveries'))",
    )
  } finally {
    await pool.end()
  }
}
