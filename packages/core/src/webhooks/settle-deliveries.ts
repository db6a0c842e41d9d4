import type { Delivered, Ports, Transaction } from '../ports.ts'
import type { DeliveryPolicy, Dropped, Sending, Sent } from './delivering.ts'
import type { Delivery } from './delivery.ts'
import { dropNotice } from './drop-deliveries.ts'
import { deliveredAtOnce, nextAttempt } from './next-attempt.ts'

type Held = Pick<Sending, 'workspace_id' | 'id' | 'lease'>

/**
 * Notes what came of each, all in one transaction. Where that fails, each for itself: one that cannot be kept is told, sent again when its
 * lease is over, and keeps no other from being noted. @throws Error when the database does not work
 */
export async function settleDeliveries({ storage }: Pick<Ports, 'storage'>, policy: DeliveryPolicy, sent: readonly Sent[]): Promise<void> {
  if (sent.length === 0) return
  const ordered = sent.toSorted((a, b) => (a.sending.id < b.sending.id ? -1 : 1))
  const { drops, failures } = await storage
    .transactUnsynced(async (tx) => {
      const others = await noteAtOnce(tx, ordered)
      const drops = (await Promise.all(others.map((each) => settle(tx, policy, each)))).flat()
      return { drops, failures: [] }
    })
    .catch(() => storage.transactUnsynced((tx) => settleEach(tx, policy, ordered)))
  for (const failure of failures) policy.onFailure?.(failure)
  for (const drop of drops) policy.onDropped?.(drop)
}

/** Puts back what was claimed and not sent, to be claimed by anybody. */
export async function giveBackDeliveries({ storage, now }: Pick<Ports, 'storage' | 'now'>, sendings: readonly Sending[]): Promise<void> {
  if (sendings.length === 0) return
  const ordered = sendings.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await storage.transactUnsynced(async (tx) => {
    const due_at = now()
    await Promise.all(ordered.map((sending) => change(tx, sending, (delivery) => ({ ...delivery, sending: false, due_at }))))
    tx.wake()
  })
}

/** Notes those of which nothing need be known, and gives the others. Where one was not as it should be, that is seen one by one. */
async function noteAtOnce(tx: Transaction, ordered: readonly Sent[]): Promise<readonly Sent[]> {
  const delivered: Delivered[] = []
  const others: Sent[] = []
  for (const each of ordered) {
    const at = deliveredAtOnce(each.attempt)
    const { workspace_id, id, lease } = each.sending
    if (at) delivered.push({ workspace_id, id, lease, ...at })
    else others.push(each)
  }
  if (delivered.length === 0) return ordered
  return (await tx.outbox.noteDelivered(delivered)) === delivered.length ? others : ordered
}

async function settleEach(tx: Transaction, policy: DeliveryPolicy, ordered: readonly Sent[]) {
  const drops: Dropped[] = []
  const failures: unknown[] = []
  for (const each of ordered) {
    await tx
      .attempt(() => settle(tx, policy, each))
      .then(
        (dropped) => drops.push(...dropped),
        (failure) => failures.push(failure),
      )
  }
  return { drops, failures }
}

/** Gives what is dropped now. */
async function settle(tx: Transaction, policy: DeliveryPolicy, { sending, attempt }: Sent): Promise<readonly Dropped[]> {
  // What could not be signed took the room of others, who may wait for no other call.
  if (attempt.error === 'not_signed') tx.wake()
  const after = await change(tx, sending, (delivery) => nextAttempt(delivery, attempt, policy))
  return after?.status === 'dropped' && after.reason !== null ? [dropNotice(sending.workspace_id, after, after.reason)] : []
}

/** Whatever was erased, dropped, given back or claimed anew since stays as it is. */
async function change(
  tx: Transaction,
  { workspace_id, id, lease }: Held,
  make: (delivery: Delivery) => Delivery,
): Promise<Delivery | undefined> {
  const { deliveries } = tx.workspace(workspace_id)
  const before = await deliveries.getForUpdate(id)
  if (!before?.sending || before.lease !== lease) return undefined
  const after = make(before)
  await deliveries.update(after, before)
  return after
}
