import type { Ports, SuccessfulDelivery } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Delivery } from '../../schema/delivery.ts'
import type { DeliveryOutcome, DeliveryPolicy, DeliveryRequest, DroppedDelivery } from './delivery-types.ts'
import { toDroppedDelivery } from './drop-deliveries.ts'
import { applyAttempt, toFirstSuccess } from './retry-policy.ts'

type LeaseKey = Pick<DeliveryRequest, 'workspace_id' | 'id' | 'lease'>

/**
 * Saves all outcomes in one transaction. If that fails, saves each in its own savepoint: an outcome that
 * cannot be saved is reported and its delivery is claimed again after its lease, while the others are saved.
 * @throws Error if the database is unavailable
 */
export async function saveOutcomes(
  { storage }: Pick<Ports, 'storage'>,
  policy: DeliveryPolicy,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return
  const sorted = outcomes.toSorted((a, b) => (a.request.id < b.request.id ? -1 : 1))
  const { drops, failures } = await storage
    .transact(
      async (tx) => {
        const remaining = await saveFirstSuccesses(tx, sorted)
        const drops = (await Promise.all(remaining.map((outcome) => saveOutcome(tx, policy, outcome)))).flat()
        return { drops, failures: [] }
      },
      { durability: 'relaxed' },
    )
    .catch(() => storage.transact((tx) => saveEachOutcome(tx, policy, sorted), { durability: 'relaxed' }))
  for (const failure of failures) policy.onFailure?.(failure)
  for (const drop of drops) policy.onDropped?.(drop)
}

/** Makes deliveries that were claimed but not sent due at once for any worker. */
export async function releaseDeliveries(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  requests: readonly DeliveryRequest[],
): Promise<void> {
  if (requests.length === 0) return
  const sorted = requests.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await storage.transact(
    async (tx) => {
      const due_at = now()
      await Promise.all(
        sorted.map((request) =>
          updateLeased(tx, request, (delivery) => ({ ...delivery, sending: false, due_at })),
        ),
      )
      tx.notify()
    },
    { durability: 'relaxed' },
  )
}

/**
 * Saves the successful first attempts in one statement and returns the remaining outcomes. Returns all
 * outcomes if any row did not match, so that each is then handled alone.
 */
async function saveFirstSuccesses(
  tx: Transaction,
  sorted: readonly DeliveryOutcome[],
): Promise<readonly DeliveryOutcome[]> {
  const successes: SuccessfulDelivery[] = []
  const remaining: DeliveryOutcome[] = []
  for (const outcome of sorted) {
    const success = toFirstSuccess(outcome.attempt)
    const { workspace_id, id, lease } = outcome.request
    if (success) successes.push({ workspace_id, id, lease, ...success })
    else remaining.push(outcome)
  }
  if (successes.length === 0) return sorted
  return (await tx.outbox.markDelivered(successes)) === successes.length ? remaining : sorted
}

async function saveEachOutcome(tx: Transaction, policy: DeliveryPolicy, sorted: readonly DeliveryOutcome[]) {
  const drops: DroppedDelivery[] = []
  const failures: unknown[] = []
  for (const outcome of sorted) {
    await tx
      .savepoint(() => saveOutcome(tx, policy, outcome))
      .then(
        (dropped) => drops.push(...dropped),
        (failure) => failures.push(failure),
      )
  }
  return { drops, failures }
}

/** Returns the delivery if this outcome dropped it, otherwise an empty list. */
async function saveOutcome(
  tx: Transaction,
  policy: DeliveryPolicy,
  { request, attempt }: DeliveryOutcome,
): Promise<readonly DroppedDelivery[]> {
  // The unsigned delivery used up quota that others could have had, so the workers claim again.
  if (attempt.error === 'not_signed') tx.notify()
  const after = await updateLeased(tx, request, (delivery) => applyAttempt(delivery, attempt, policy))
  return after?.status === 'dropped' && after.reason !== null
    ? [toDroppedDelivery(request.workspace_id, after, after.reason)]
    : []
}

/**
 * Updates a delivery if this lease still holds it. Deleted, dropped, released or reclaimed ones stay
 * unchanged.
 */
async function updateLeased(
  tx: Transaction,
  { workspace_id, id, lease }: LeaseKey,
  update: (delivery: Delivery) => Delivery,
): Promise<Delivery | undefined> {
  const { deliveries } = tx.workspace(workspace_id)
  const before = await deliveries.getForUpdate(id)
  if (!before?.sending || before.lease !== lease) return undefined
  const after = update(before)
  await deliveries.update(after)
  return after
}
