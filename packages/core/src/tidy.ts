import { forgetAnswers } from './idempotency/answered-once.ts'
import { DAY, later } from './instants.ts'
import type { App } from './oauth/app.ts'
import type { Condition, Instant, Ports, Shared, SharedCollection, SharedStores, Storage } from './ports.ts'

const AT_ONCE = 300

/**
 * Forgets what is past its time: kept answers, requests of apps, codes, sessions, links, invitations, windows, apps that nobody
 * took the secret of, programs that nobody ever let in, deliveries that are over with what they told, and usage that was told. A few
 * hundred of each at once, so that nobody waits for long. Gives how many were past their time: 0 when nothing is left.
 */
export async function tidy(ports: Pick<Ports, 'storage' | 'now'>): Promise<number> {
  const { storage, now } = ports
  const at = now()
  const monthAgo = later(at, -30 * DAY)
  const neverActive: readonly Condition<App>[] = [
    { field: 'kind', is: 'confidential' },
    { field: 'active', is: false },
    { field: 'secret_hash', is: null },
  ]
  const forgotten = [
    await forgetAnswers(ports),
    await forget(storage, 'authorizations', 'expires_at', at),
    await forget(storage, 'sessions', 'expires_at', at),
    await forget(storage, 'links', 'expires_at', at),
    await forget(storage, 'invitations', 'expires_at', at),
    await forget(storage, 'lasting_windows', 'expires_at', at),
    // A code that comes again after its use is noticed for a day.
    await forget(storage, 'codes', 'expires_at', later(at, -DAY)),
    // Neither registered nor sent another link within the week.
    await forget(storage, 'apps', 'updated_at', later(at, -7 * DAY), neverActive),
    await forget(storage, 'apps', 'unused_since', monthAgo),
    await storage.transact((tx) => tx.outbox.forget(monthAgo, AT_ONCE)),
    await forget(storage, 'usage_logs', 'period_end', monthAgo, [{ field: 'due_at', is: null }]),
  ]
  return forgotten.reduce((sum, count) => sum + count)
}

async function forget<C extends SharedCollection>(
  storage: Storage,
  name: C,
  field: keyof Shared[C] & string,
  last: Instant,
  where: readonly Condition<Shared[C]>[] = [],
): Promise<number> {
  return storage.transact(async (tx: SharedStores) => {
    const store = tx[name]
    const { rows } = await store.list({ page: 1, per_page: AT_ONCE, order_by: field, order: 'asc', where: [{ field, to: last }, ...where] })
    for (const { id } of rows) {
      const held = await store.getForUpdate(id)
      // Someone may have given it more time since it was listed, or let it in.
      if (!held || held[field] === null || String(held[field]) > last) continue
      await store.erase(id)
    }
    // Those that another process forgot count too: there may be more behind them.
    return rows.length
  })
}
