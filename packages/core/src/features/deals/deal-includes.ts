import type { ViewTransaction, WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Deal } from '../../schema/deal.ts'

type IncludedDeal = Pick<Deal, 'id' | 'created_at'>

export async function loadStageEntries(page: readonly IncludedDeal[], transaction: ViewTransaction) {
  const lastMoves = await loadLastMoves(page, transaction)
  return ({ id, created_at }: IncludedDeal) => lastMoves.get(id) ?? created_at
}

/** Returns the time of the last stage move of each deal that has one. */
async function loadLastMoves(
  page: readonly Pick<Deal, 'id'>[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await stores.stage_moves.aggregate({
    where: [{ field: 'deal_id', oneOf: page.map(({ id }) => id) }],
    groupBy: [{ field: 'deal_id' }],
    latest: 'created_at',
    order: 'count',
    limit: page.length,
  })
  return new Map(rows.map(({ keys: [id], latest }) => [String(id), latest!]))
}
