import type { Instant } from '../../kernel/instant.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import type { Delivery, DropReason } from '../../schema/delivery.ts'
import type { DroppedDelivery } from './delivery-types.ts'
import { filterByAccess } from './webhook-access.ts'

/**
 * Maximum number of deliveries changed at once. The claim drops or deletes the rest: it checks access too.
 */
const MAX_DELIVERIES = 1000
const BATCH_SIZE = 100

/**
 * Returns the delivery as dropped. A worker that is sending it cannot save its outcome, because `sending` is
 * false.
 */
export function dropDelivery(delivery: Delivery, reason: DropReason, at: Instant): Delivery {
  return { ...delivery, status: 'dropped', reason, sending: false, due_at: null, updated_at: at }
}

/** Returns the log entry of a dropped delivery. */
export function toDroppedDelivery(
  workspace_id: string,
  { id, webhook_id, event }: Delivery,
  reason: DropReason,
): DroppedDelivery {
  return { workspace_id, webhook_id, id, event, reason }
}

/** Drops the pending deliveries of webhooks of the given apps that may no longer hear of changes, up to a thousand. */
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

/** Deletes the pending deliveries of a deleted webhook, up to a thousand. */
export async function deletePending(stores: WorkspaceStores, webhookId: string): Promise<void> {
  await forEachPending(stores, [webhookId], (id) => stores.deliveries.hardDelete(id))
}

/**
 * Calls `finish` for the oldest pending deliveries. They are locked in the order of their ids, as in
 * `saveOutcomes`, to prevent deadlocks.
 */
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
  // It may have been finished since it was listed.
  if (locked?.status === 'pending') await deliveries.update(dropDelivery(locked, 'access_revoked', at))
}
