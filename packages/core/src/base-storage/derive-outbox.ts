import type { Instant } from '../kernel/instant.ts'
import type { Claim, ClaimedDelivery, DeliveryQueue, Outbox, SuccessfulDelivery } from '../ports/outbox.ts'
import type { Delivery } from '../schema/delivery.ts'
import type { Snapshot } from '../schema/snapshot.ts'
import type { BaseTransaction } from './base-storage.ts'
import { compare } from './compare.ts'

/**
 * Derives the outbox from the stores of all workspaces. Its cost grows with the pending deliveries of all of
 * them, and it waits for locks: a store on which several processes work has its own.
 */
export function deriveOutbox(tx: BaseTransaction): Outbox {
  return {
    claim: (claim) => claimDue(tx, claim),
    async markDelivered(deliveries) {
      const results = await Promise.all(deliveries.map((each) => markDelivered(tx, each)))
      return results.filter(Boolean).length
    },
    deleteFinished: (changedUntil, limit) => deleteFinished(tx, changedUntil, limit),
    async backlog() {
      const due = (await listDeliveries(tx)).flatMap(({ delivery: { due_at } }) => due_at ?? [])
      return { pending: due.length, earliestDueAt: due.sort(compare)[0] }
    },
  }
}

async function listDeliveries(tx: BaseTransaction): Promise<ClaimedDelivery[]> {
  const lists = (await tx.workspaceIds()).map(async (workspace_id) => {
    const deliveries = await tx.workspace(workspace_id).deliveries.find([])
    return deliveries.map((delivery) => ({ workspace_id, delivery }))
  })
  return (await Promise.all(lists)).flat()
}

async function claimDue(tx: BaseTransaction, claim: Claim): Promise<readonly ClaimedDelivery[]> {
  const due = (await listDeliveries(tx))
    .filter(({ delivery }) => isDue(delivery, claim))
    .sort((a, b) => compare(a.delivery.due_at, b.delivery.due_at))
  const queues = Map.groupBy(due, ({ workspace_id, delivery }) => `${workspace_id} ${delivery.webhook_id}`)
  const claimed: ClaimedDelivery[] = []
  for (const waiting of queues.values())
    claimed.push(...waiting.slice(0, await countToClaim(tx, waiting, claim)))
  return Promise.all(claimed.map((each) => lease(tx, each, claim.leaseUntil)))
}

/** Returns false if the delivery is not sent under this lease any more. */
async function markDelivered(tx: BaseTransaction, success: SuccessfulDelivery): Promise<boolean> {
  const { workspace_id, id, lease, attempt, updated_at } = success
  const { deliveries } = tx.workspace(workspace_id)
  const before = await deliveries.getForUpdate(id)
  if (!before?.sending || before.lease !== lease || before.attempts.length > 0) return false
  await deliveries.update({
    ...before,
    attempts: [attempt],
    attempts_count: before.attempts_count + 1,
    due_at: null,
    sending: false,
    status: 'delivered',
    reason: null,
    updated_at,
  })
  return true
}

async function deleteFinished(tx: BaseTransaction, changedUntil: Instant, limit: number): Promise<number> {
  const finished = (await listDeliveries(tx))
    .filter(({ delivery }) => delivery.due_at === null && delivery.updated_at <= changedUntil)
    .sort((a, b) => compare(a.delivery.updated_at, b.delivery.updated_at))
    .slice(0, Math.max(0, limit))
  for (const { workspace_id, delivery } of finished)
    await tx.workspace(workspace_id).deliveries.hardDelete(delivery.id)
  const orphans = (await findOrphanSnapshots(tx, changedUntil))
    .sort((a, b) => compare(a.snapshot.created_at, b.snapshot.created_at))
    .slice(0, Math.max(0, limit - finished.length))
  for (const { workspace_id, snapshot } of orphans)
    await tx.workspace(workspace_id).snapshots.hardDelete(snapshot.id)
  return finished.length + orphans.length
}

function isDue({ due_at }: Delivery, { now, horizon }: Claim): boolean {
  return due_at !== null && (due_at <= now || due_at > horizon)
}

async function countToClaim(
  tx: BaseTransaction,
  [first, ...rest]: readonly ClaimedDelivery[],
  { maxPerQueue, quota }: Claim,
): Promise<number> {
  const dueCount = Math.min(1 + rest.length, maxPerQueue)
  if (!first || dueCount <= 0) return 0
  const { workspace_id, delivery } = first
  const { webhook_id } = delivery
  const host = (await tx.workspace(workspace_id).webhooks.get(webhook_id))?.host
  const queue: DeliveryQueue = { workspace_id, webhook_id, host, dueCount }
  return Math.max(0, Math.min(quota(queue), dueCount))
}

async function lease(
  tx: BaseTransaction,
  { workspace_id, delivery: before }: ClaimedDelivery,
  due_at: Instant,
): Promise<ClaimedDelivery> {
  const delivery = { ...before, sending: true, due_at, lease: before.lease + 1 }
  await tx.workspace(workspace_id).deliveries.update(delivery)
  return { workspace_id, delivery }
}

/** Snapshots created until then without a delivery, live or deleted. */
async function findOrphanSnapshots(
  tx: BaseTransaction,
  createdUntil: Instant,
): Promise<{ readonly workspace_id: string; readonly snapshot: Snapshot }[]> {
  const lists = (await tx.workspaceIds()).map(async (workspace_id) => {
    const { deliveries, snapshots } = tx.workspace(workspace_id)
    const referring = await deliveries.find([], { includeDeleted: true })
    const referenced = new Set(referring.map(({ snapshot_id }) => snapshot_id))
    const old = await snapshots.find([{ field: 'created_at', to: createdUntil }])
    return old.filter(({ id }) => !referenced.has(id)).map((snapshot) => ({ workspace_id, snapshot }))
  })
  return (await Promise.all(lists)).flat()
}
