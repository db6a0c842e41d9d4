import type { WorkspaceSize } from '@sales-crm/core/ports'
import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { bindValues, compileStatement, param } from '../statements/statement.ts'
import type { TransactionState } from '../transaction-state.ts'

/**
 * Measures a workspace by the totals that triggers maintain, and counts its pending deliveries in their index.
 */
export function createWorkspaceMeasure({ compiler }: Dialect) {
  const sumOf = (table: 'live_rows' | 'long_texts') =>
    compiler
      .selectFrom(table)
      .where('workspace_id', '=', param('workspace_id'))
      .select(sql`coalesce(sum(total), 0)`.as('total'))
  const pendingDeliveries = compiler
    .selectFrom('deliveries')
    .where('workspace_id', '=', param('workspace_id'))
    .where('due_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .select(sql`count(*)`.as('total'))
  const query = compiler.selectNoFrom([
    sumOf('live_rows').as('records'),
    pendingDeliveries.as('pending_deliveries'),
    sumOf('long_texts').as('bytes'),
  ])
  const statement = compileStatement(query, compiler)

  return ({ guard, connection }: TransactionState, workspaceId: string): Promise<WorkspaceSize> =>
    guard.read(async () => {
      const values = bindValues(statement, { workspace_id: workspaceId })
      const [row] = await connection.query(statement, values)
      return {
        records: Number(row!['records']),
        pendingDeliveries: Number(row!['pending_deliveries']),
        bytes: Number(row!['bytes']),
      }
    })
}
