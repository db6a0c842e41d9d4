import type { Ports, Transaction } from '../ports.ts'
import type { DeliveryPolicy, Dropped, Sending, Sent } from './delivering.ts'
import type { Delivery } from './delivery.ts'
import { nextAttempt } from './next-attempt.ts'

type Claimed = Pick<Sending, 'workspace_id' | 'id' | 'lease'>

/**
 * Notes what came of each, all in one transaction. Where that fails, each for itself: one that cannot be kept is told, sent again when its
 * lease is over, and keeps no other from being noted. Gives what is dropped now. @throws Error when the database does not work
 */
export async function settleDeliveries(
  { storage }: Pick<Ports, 'storage'>,
  policy: DeliveryPolicy,
  sent: readonly Sent[],
): Promise<readonly Dropped[]> {
  if (sent.length === 0) return []
  const ordered = sent.toSorted((a, b) => (a.sending.id < b.sending.id ? -1 : 1))
  try {
    return await storage.transact(async (tx) => (await Promise.all(ordered.map((each) => settle(tx, policy, each)))).flat())
  } catch {
    const { over, failures } = await storage.transact(async (tx) => {
      const over: Dropped[] = []
      const failures: unknown[] = []
      for (const each of ordered) {
        await tx
          .attempt(() => settle(tx, policy, each))
          .then(
            (dropped) => over.push(...dropped),
            (error) => failures.push(error),
          )
      }
      return { over, failures }
    })
    for (const failure of failures) policy.onFailure?.(failure)
    return over
  }
}

/** Puts back what was claimed and not sent, to be claimed by anybody. */
export async function giveBackDeliveries({ storage, now }: Pick<Ports, 'storage' | 'now'>, sendings: readonly Sending[]): Promise<void> {
  if (sendings.length === 0) return
  const ordered = sendings.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await storage.transact(async (tx) => {
    const due_at = now()
    await Promise.all(ordered.map((sending) => change(tx, sending, (held) => ({ ...held, sending: false, due_at }))))
    tx.wake()
  })
}

async function settle(tx: Transaction, policy: DeliveryPolicy, { sending, attempt }: Sent): Promise<readonly Dropped[]> {
  const after = await change(tx, sending, (held) => nextAttempt(held, attempt, policy))
  if (after?.status !== 'dropped' || after.reason === null) return []
  const { workspace_id, webhook_id, id, event } = sending
  return [{ workspace_id, webhook_id, id, event, reason: after.reason }]
}

/** Whatever was erased, dropped, given back or claimed anew since stays as it is. */
async function change(
  tx: Transaction,
  { workspace_id, id, lease }: Claimed,
  make: (held: Delivery) => Delivery,
): Promise<Delivery | undefined> {
  const { deliveries } = tx.workspace(workspace_id)
  const held = await deliveries.getForUpdate(id)
  if (!held?.sending || held.lease !== lease) return undefined
  const after = make(held)
  await deliveries.update(after, held)
  return after
}
