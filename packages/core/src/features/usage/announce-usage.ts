import { asService } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { UsageLog } from '../../schema/usage-log.ts'
import { emitEvents, loadWebhooks } from '../webhooks/emit-events.ts'

const BATCH_SIZE = 50

/**
 * Emits the usage events of completed hours, each once across all processes. Returns the number of hours
 * found; more may be due.
 */
export async function announceUsage({
  storage,
  now,
  newId,
}: Pick<Ports, 'storage' | 'now' | 'newId'>): Promise<number> {
  const due = await storage.read(({ usage_logs }) =>
    usage_logs.list({
      page: 1,
      per_page: BATCH_SIZE,
      order_by: 'due_at',
      order: 'asc',
      where: [{ field: 'due_at', to: now() }],
    }),
  )
  for (const { id } of due.rows) {
    await storage.transact(async (tx) => {
      const log = await tx.usage_logs.getForUpdate(id)
      if (!log || log.due_at === null) return
      const at = now()
      const transaction = asService(tx, log.workspace_id)
      const buildEvents = async () => ({
        events: ['usage_logs.created'] as const,
        snapshot: { usage_log: toUsageLogView(log, at) },
      })
      await emitEvents(await loadWebhooks(transaction), buildEvents, transaction, { at, newId })
      await tx.usage_logs.update({ ...log, due_at: null, updated_at: at })
    })
  }
  return due.rows.length
}

/** The row counts from the first call on; the entry that receivers get is created after its hour. */
function toUsageLogView(
  { id, client_id, period_start, period_end, requests }: UsageLog,
  created_at: Instant,
) {
  return { id, client_id, period_start, period_end, requests, created_at }
}
