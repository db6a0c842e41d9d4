import type { Ports, SuccessfulDelivery } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Delivery } from '../../schema/delivery.ts'
import { applyAttempt, toFirstSuccess } from './apply-attempt.ts'
import type { DeliveryOutcome, DeliveryPolicy, DeliveryRequest, DroppedDelivery } from './delivery-types.ts'
import { toDroppedDelivery } from './drop-deliveries.ts'

type LeaseKey = Pick<DeliveryRequest, 'workspace_id' | 'id' | 'lease'>

/**
 * Notes what came of each, all in one transaction. Where that fails, each for itself: one that cannot be kept is told, sent again when its
 * lease is over, and keeps no other from being noted. @throws Error when the database does not work
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

/** Puts back what was claimed and not sent, to be claimed by anybody. */
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

/** Notes those of which nothing need be known, and gives the others. Where one was not as it should be, that is seen one by one. */
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
        (droppedNow) => drops.push(...droppedNow),
        (failure) => failures.push(failure),
      )
  }
  return { drops, failures }
}

/** Gives what is dropped now. */
async function saveOutcome(
  tx: Transaction,
  policy: DeliveryPolicy,
  { request, attempt }: DeliveryOutcome,
): Promise<readonly DroppedDelivery[]> {
  // What could not be signed took the room of others, who may wait for no other call.
  if (attempt.error === 'not_signed') tx.notify()
  const after = await updateLeased(tx, request, (delivery) => applyAttempt(delivery, attempt, policy))
  return after?.status === 'dropped' && after.reason !== null
    ? [toDroppedDelivery(request.workspace_id, after, after.reason)]
    : []
}

/** Whatever was erased, dropped, given back or claimed anew since stays as it is. */
async function updateLeased(
  tx: Transaction,
  { workspace_id, id, lease }: LeaseKey,
  update: (delivery: Delivery) => Delivery,
): Promise<Delivery | undefined> {
  const { deliveries } = tx.workspace(workspace_id)
  const before = await deliveries.getForUpdate(id)
  if (!before?.sending || before.lease !== lease) return undefined
  const after = update(before)
  await deliveries.update(after, before)
  return after
}
