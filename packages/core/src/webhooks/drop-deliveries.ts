import type { Instant, WorkspaceStores } from '../ports.ts'
import type { Dropped } from './delivering.ts'
import type { Delivery, DropReason } from './delivery.ts'
import { withAccess } from './emit.ts'

/** What is beyond is dropped or erased when its turn comes: access, and whether the webhook is there, is looked at there too. */
const MOST = 1000
const AT_ONCE = 100

/** Over, and not sent again by itself. What is under way finds that it is not `sending` any more, and changes nothing. */
export function dropped(delivery: Delivery, reason: DropReason, at: Instant): Delivery {
  return { ...delivery, status: 'dropped', reason, sending: false, due_at: null, updated_at: at }
}

/** What is told of it. */
export function dropNotice(workspace_id: string, { id, webhook_id, event }: Delivery, reason: DropReason): Dropped {
  return { workspace_id, webhook_id, id, event, reason }
}

/** Drops what waits for the webhooks of those apps that hold no grant any more: up to a thousand deliveries. */
export async function dropUnheard(stores: WorkspaceStores, clientIds: readonly string[], at: Instant): Promise<void> {
  if (clientIds.length === 0) return
  const webhooks = await stores.webhooks.find([{ field: 'client_id', oneOf: clientIds }])
  const heard = await withAccess(webhooks, { stores })
  const unheard = webhooks.filter((webhook) => !heard.includes(webhook)).map(({ id }) => id)
  await eachPending(stores, unheard, (id) => dropOne(stores, id, at))
}

/** Erases what waits for a webhook that is deleted: up to a thousand deliveries. */
export async function erasePending(stores: WorkspaceStores, webhookId: string): Promise<void> {
  await eachPending(stores, [webhookId], (id) => stores.deliveries.erase(id))
}

/** Brings what is pending to its end, the oldest first; in the order in which outcomes are noted, lest the two wait for each other. */
async function eachPending(
  { deliveries }: WorkspaceStores,
  webhookIds: readonly string[],
  end: (id: string) => Promise<void>,
): Promise<void> {
  if (webhookIds.length === 0) return
  const where = [
    { field: 'webhook_id', oneOf: webhookIds },
    { field: 'status', is: 'pending' },
  ] as const
  const { rows } = await deliveries.list({ page: 1, per_page: MOST, order_by: 'created_at', order: 'asc', where })
  const ids = rows.map(({ id }) => id).sort()
  for (let from = 0; from < ids.length; from += AT_ONCE) await Promise.all(ids.slice(from, from + AT_ONCE).map(end))
}

async function dropOne({ deliveries }: WorkspaceStores, id: string, at: Instant): Promise<void> {
  const held = await deliveries.getForUpdate(id)
  // Somebody may have brought it to its end since it was listed.
  if (held?.status === 'pending') await deliveries.update(dropped(held, 'access_revoked', at), held)
}
