import type { BufferedTransaction } from '../../engine/buffered-transaction.ts'
import type { HasDetailView } from '../../engine/load-record.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import { CrmError } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { BatchResult } from './batch-results.ts'
import type { PreparedOperation } from './prepare-operations.ts'

/**
 * Runs operations in one transaction without savepoints, in their order. One that is refused before it has written anything
 * fails alone. The records of all creates are inserted together, and their views built at the end.
 * @throws CrmError if one is refused that has written something, or a unique value is taken: the transaction has to be
 * rolled back
 * @param transaction that of `buffered`
 */
export async function runTogether<R extends RecordBase, Detail extends { readonly id: string }>(
  operations: readonly PreparedOperation<R, Detail>[],
  resource: HasDetailView<R, Detail>,
  buffered: BufferedTransaction,
  transaction: ViewTransaction,
): Promise<readonly BatchResult<Detail>[]> {
  const inserted: { readonly index: number; readonly record: R }[] = []
  const results: BatchResult<Detail>[] = []
  for (const [index, operation] of operations.entries()) {
    const { writes } = buffered
    try {
      const record = await operation.insert?.(buffered.tx)
      if (record) inserted.push({ index, record })
      else results[index] = await operation.run(buffered.tx)
    } catch (error) {
      if (!(error instanceof CrmError) || buffered.writes > writes) throw error
      results[index] = { error }
    }
  }
  await buffered.flush()
  const views = await resource.detailView(
    inserted.map(({ record }) => record),
    transaction,
  )
  for (const [position, { index }] of inserted.entries()) {
    const data = views[position]!
    results[index] = { done: 'created', id: data.id, data }
  }
  return results
}
