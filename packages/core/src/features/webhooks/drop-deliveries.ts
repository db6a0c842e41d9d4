import type { Instant } from '../../kernel/instant.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Delivery, DropReason } from '../../schema/delivery.ts'
import type { DroppedDelivery } from './delivery-types.ts'
import { filterByAccess } from './emit-events.ts'

/** What is beyond is dropped or erased when its turn comes: access, and whether the webhook is there, is looked at there too. */
const MAX_DELIVERIES = 1000
const BATCH_SIZE = 100

/** Over, and not sent again by itself. What is under way finds that it is not `sending` any more, and changes nothing. */
export function dropDelivery(delivery: Delivery, reason: DropReason, at: Instant): Delivery {
  return { ...delivery, status: 'dropped', reason, sending: false, due_at: null, updated_at: at }
}

/** What is told of it. */
export function toDroppedDelivery(
  workspace_id: string,
  { id, webhook_id, event }: Delivery,
  reason: DropReason,
): DroppedDelivery {
  return { workspace_id, webhook_id, id, event, reason }
}

/** Drops what waits for the webhooks of those apps that hold no grant any more: up to a thousand deliveries. */
export async function dropInaccessible(
  stores: WorkspaceStores,
  clientIds: readonly string[],
  at: Instant,
): Promise<void> {
  if (clientIds.length === 0) return
  const webhooks = await stores.webhooks.find([{ field: 'client_id', oneOf: clientIds }])
  const accessible = await filterByAccess(webhooks, { stores })
  const inaccessibleIds = webhooks.filter((webhook) => !accessible.includes(webhook)).map(({ id }) => id)
  await forEachPending(stores, inaccessibleIds, (id) => dropOne(stores, id, at))
}

/** Erases what waits for a webhook that is deleted: up to a thousand deliveries. */
export async function deletePending(stores: WorkspaceStores, webhookId: string): Promise<void> {
  await forEachPending(stores, [webhookId], (id) => stores.deliveries.hardDelete(id))
}

/** Brings what is pending to its end, the oldest first; in the order in which outcomes are noted, lest the two wait for each other. */
async function forEachPending(
  { deliveries }: WorkspaceStores,
  webhookIds: readonly string[],
  finish: (id: string) => Promise<void>,
): Promise<void> {
  if (webhookIds.length === 0) return
  const where = [
    { field: 'webhook_id', oneOf: webhookIds },
    { field: 'status', is: 'pending' },
  ] as const
  const { rows } = await deliveries.list({
    page: 1,
    per_page: MAX_DELIVERIES,
    order_by: 'created_at',
    order: 'asc',
    where,
  })
  const ids = rows.map(({ id }) => id).sort()
  for (let from = 0; from < ids.length; from += BATCH_SIZE)
    await Promise.all(ids.slice(from, from + BATCH_SIZE).map(finish))
}

async function dropOne({ deliveries }: WorkspaceStores, id: string, at: Instant): Promise<void> {
  const locked = await deliveries.getForUpdate(id)
  // Somebody may have brought it to its end since it was listed.
  if (locked?.status === 'pending')
    await deliveries.update(dropDelivery(locked, 'access_revoked', at), locked)
}
