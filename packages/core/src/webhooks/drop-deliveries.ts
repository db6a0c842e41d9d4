import type { Instant, RecordStore, WorkspaceStores } from '../ports.ts'
import type { Delivery, DropReason } from './delivery.ts'
import { withAccess } from './emit.ts'

/** What is beyond is dropped when its turn comes: access is looked at there too. */
const MOST = 1000
const AT_ONCE = 100

/** Over, and not sent again by itself. What is under way finds that it is not `sending` any more, and changes nothing. */
export function dropped(delivery: Delivery, reason: DropReason, at: Instant): Delivery {
  return { ...delivery, status: 'dropped', reason, sending: false, due_at: null, updated_at: at }
}

/** Drops what waits for the webhooks of those apps that hold no grant any more: up to a thousand deliveries. */
export async function dropUnheard(stores: WorkspaceStores, clientIds: readonly string[], at: Instant): Promise<void> {
  if (clientIds.length === 0) return
  const webhooks = await stores.webhooks.find([{ field: 'client_id', oneOf: clientIds }])
  const heard = await withAccess(webhooks, { stores })
  let left = MOST
  for (const webhook of webhooks) {
    if (!heard.includes(webhook)) left -= await dropPending(stores.deliveries, webhook.id, left, at)
  }
}

/** In portions, for bodies may be large. Gives how many were found, at most `most`. */
async function dropPending(deliveries: RecordStore<Delivery>, webhookId: string, most: number, at: Instant): Promise<number> {
  const where = [
    { field: 'webhook_id', is: webhookId },
    { field: 'status', is: 'pending' },
  ] as const
  for (let found = 0; ; ) {
    const per_page = Math.min(AT_ONCE, most - found)
    if (per_page === 0) return found
    const { rows } = await deliveries.list({ page: 1, per_page, order_by: 'created_at', order: 'asc', where })
    await Promise.all(rows.map(({ id }) => dropOne(deliveries, id, at)))
    found += rows.length
    if (rows.length < per_page) return found
  }
}

async function dropOne(deliveries: RecordStore<Delivery>, id: string, at: Instant): Promise<void> {
  const held = await deliveries.getForUpdate(id)
  // Somebody may have brought it to its end since it was listed.
  if (held?.status === 'pending') await deliveries.update(dropped(held, 'access_revoked', at), held)
}
