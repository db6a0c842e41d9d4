import { addSeconds, DAY, type Instant } from '../../kernel/instant.ts'
import type { Condition, Ports, SharedCollection, SharedRecords } from '../../ports/index.ts'
import type { SharedStores, Storage } from '../../ports/storage.ts'
import type { App } from '../../schema/app.ts'
import { deleteExpiredBulkChange } from '../bulk-changes/delete-bulk-change.ts'
import { deleteExpiredResponses } from '../idempotency/idempotent-create.ts'
import { deleteExpiredContents } from '../imports/delete-import.ts'
import { deleteOldNotifications } from '../notifications/delete-old-notifications.ts'

const BATCH_SIZE = 300

/**
 * Deletes expired data: stored responses, authorizations, codes, sessions, links, invitations, rate limit
 * windows, apps whose secret was never issued, public clients that were never authorized, finished deliveries
 * with their snapshots, ended runs, the files of imports, bulk changes,
 * notifications, and announced usage. Deletes at most `BATCH_SIZE` of each type per call, so other
 * writers do not wait long. Returns the number of expired records found; 0 when none are left.
 */
export async function deleteExpired(ports: Pick<Ports, 'storage' | 'now'>): Promise<number> {
  const { storage, now } = ports
  const at = now()
  const monthAgo = addSeconds(at, -30 * DAY)
  const neverActive: readonly Condition<App>[] = [
    { field: 'kind', is: 'confidential' },
    { field: 'active', is: false },
    { field: 'secret_hash', is: null },
  ]
  const counts = [
    await deleteExpiredResponses(ports),
    await deleteExpiredRecords(storage, 'authorizations', 'expires_at', at),
    await deleteExpiredRecords(storage, 'sessions', 'expires_at', at),
    await deleteExpiredRecords(storage, 'one_time_links', 'expires_at', at),
    await deleteExpiredRecords(storage, 'invitations', 'expires_at', at),
    await deleteExpiredRecords(storage, 'rate_limits', 'expires_at', at),
    // Used codes are kept for a day to detect their reuse.
    await deleteExpiredRecords(storage, 'authorization_codes', 'expires_at', addSeconds(at, -DAY)),
    // Neither activated nor sent another link within a week.
    await deleteExpiredRecords(storage, 'apps', 'updated_at', addSeconds(at, -7 * DAY), neverActive),
    await deleteExpiredRecords(storage, 'apps', 'unused_since', monthAgo),
    await storage.transact((tx) => tx.outbox.deleteFinished(monthAgo, BATCH_SIZE)),
    await deleteExpiredContents(ports),
    await deleteExpiredBulkChange(ports),
    await deleteOldNotifications(ports),
    await deleteExpiredRecords(storage, 'runs', 'updated_at', monthAgo, [{ field: 'due_at', is: null }]),
    await deleteExpiredRecords(storage, 'usage_logs', 'period_end', monthAgo, [
      { field: 'due_at', is: null },
    ]),
  ]
  return counts.reduce((sum, count) => sum + count)
}

async function deleteExpiredRecords<C extends SharedCollection>(
  storage: Storage,
  name: C,
  field: keyof SharedRecords[C] & string,
  cutoff: Instant,
  where: readonly Condition<SharedRecords[C]>[] = [],
): Promise<number> {
  return storage.transact(async (tx: SharedStores) => {
    const store = tx[name]
    const { rows } = await store.list({
      page: 1,
      per_page: BATCH_SIZE,
      order_by: field,
      order: 'asc',
      where: [{ field, to: cutoff }, ...where],
    })
    for (const { id } of rows) {
      const locked = await store.getForUpdate(id)
      // The record may have been extended or authorized since it was listed.
      if (!locked || locked[field] === null || String(locked[field]) > cutoff) continue
      await store.hardDelete(id)
    }
    // Records that another process deleted count too: more may follow them.
    return rows.length
  })
}
