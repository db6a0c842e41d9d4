import { asService } from '../../engine/workspace-transaction.ts'
import type { Ports } from '../../ports/index.ts'
import { type BulkPartName, bulkPartKey } from '../../schema/bulk-change.ts'
import { IDS_PER_PART, STEP_SIZE } from './bulk-parts.ts'
import { loadProgress } from './bulk-view.ts'

/** Parts of one transaction. */
const BATCH_SIZE = 100

/** Deletes a bulk change that can no longer be taken back, a few parts in each transaction. Returns 0 if there is none. */
export async function deleteExpiredBulkChange({
  storage,
  now,
}: Pick<Ports, 'storage' | 'now'>): Promise<number> {
  const { rows } = await storage.read((tx) =>
    tx.bulk_changes.list({
      ...{ page: 1, per_page: 1, order_by: 'expires_at', order: 'asc' },
      where: [{ field: 'expires_at', to: now() }],
    }),
  )
  for (const bulk of rows) {
    const [progress] = await storage.read((tx) => loadProgress([bulk], asService(tx, bulk.workspace_id)))
    const keys = (name: BulkPartName, count: number) =>
      Array.from({ length: count }, (_, number) => bulkPartKey(bulk.id, name, number))
    const all = [
      ...keys('ids', Math.ceil(bulk.total / IDS_PER_PART)),
      ...keys('results', Math.ceil(bulk.total / STEP_SIZE)),
      ...keys('change', progress?.change.refused ?? bulk.total),
      ...keys('reversal', progress?.reversal?.refused ?? bulk.total),
    ]
    for (let start = 0; start < all.length; start += BATCH_SIZE)
      await storage.transact(async (tx) => {
        const { bulk_parts } = asService(tx, bulk.workspace_id).stores
        const batch = all.slice(start, start + BATCH_SIZE)
        for (const { id } of await bulk_parts.find([{ field: 'key', oneOf: batch }]))
          await bulk_parts.hardDelete(id)
      })
    await storage.transact((tx) => tx.bulk_changes.hardDelete(bulk.id))
  }
  return rows.length
}
