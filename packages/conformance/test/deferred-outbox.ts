import type { Claim, ClaimedDelivery, DeliveryQueue, Outbox, Storage } from '@sales-crm/core/ports'
import { type DeferredUnit, type Reserve, runAndRollBack, type Weakness } from './deferred-unit.ts'

type IsFree = (key: string) => boolean

export function deferredOutbox(
  inner: Storage,
  { writes }: DeferredUnit,
  reserve: Reserve,
  isFree: IsFree,
  weakness: Weakness,
): Outbox {
  return {
    async claim(claim) {
      if (weakness.claim === 'serial') await reserve(['claim'], 'exclusive')
      const locks: Promise<void>[] = []
      // Chosen and locked in one transaction of the inner store, so that no other commits in between.
      const claimed = await runAndRollBack(
        inner,
        weakness.ownWrites === 'invisible' ? [] : writes.slice(),
        async (tx) => {
          const due = await claimAllDue(tx.outbox, claim)
          const free = due.map(({ queue, deliveries }) => ({
            queue,
            deliveries: deliveries.filter(
              ({ delivery }) => weakness.claim === 'unlocked' || isFree(delivery.id),
            ),
          }))
          const allowed = applyLimits(free, claim)
          locks.push(
            ...allowed.map(({ delivery }) =>
              reserve([delivery.id], weakness.claim === 'unlocked' ? 'unlocked' : 'exclusive'),
            ),
          )
          return allowed
        },
      )
      for (const { workspace_id, delivery } of claimed)
        writes.push((tx) => tx.workspace(workspace_id).deliveries.update(delivery))
      await Promise.all(locks)
      return claimed
    },
    async markDelivered(delivered) {
      await reserve(
        delivered.map(({ id }) => id),
        'exclusive',
      )
      const before = writes.slice()
      writes.push((tx) => tx.outbox.markDelivered(delivered))
      return runAndRollBack(inner, before, (tx) => tx.outbox.markDelivered(delivered))
    },
    async deleteFinished(changedUntil, limit) {
      await reserve(['deleteFinished'], weakness.deleteFinished ?? 'exclusive')
      const before = writes.slice()
      writes.push((tx) => tx.outbox.deleteFinished(changedUntil, limit))
      return runAndRollBack(inner, before, (tx) => tx.outbox.deleteFinished(changedUntil, limit))
    },
    backlog: () =>
      runAndRollBack(inner, weakness.ownWrites === 'invisible' ? [] : writes.slice(), (tx) =>
        tx.outbox.backlog(),
      ),
  }
}

/** A delivery queue and its due deliveries, longest due first. */
export interface DueQueue {
  readonly queue: DeliveryQueue
  readonly deliveries: readonly ClaimedDelivery[]
}

/** Claims everything due, by queue, longest due first. The memory store returns claims in that order. */
export async function claimAllDue(outbox: Outbox, claim: Claim): Promise<DueQueue[]> {
  const queues: DeliveryQueue[] = []
  const quota = (queue: DeliveryQueue) => {
    queues.push(queue)
    return queue.dueCount
  }
  const claimed = await outbox.claim({ ...claim, maxPerQueue: Infinity, quota })
  let end = 0
  return queues.map((queue) => {
    const start = end
    end += queue.dueCount
    return { queue, deliveries: claimed.slice(start, end) }
  })
}

export function applyLimits(due: readonly DueQueue[], { maxPerQueue, quota }: Claim): ClaimedDelivery[] {
  return due.flatMap(({ queue, deliveries }) => {
    const dueCount = Math.min(deliveries.length, maxPerQueue)
    if (dueCount <= 0) return []
    return deliveries.slice(0, Math.max(0, Math.min(quota({ ...queue, dueCount }), dueCount)))
  })
}

export function outboxPerCall(transact: Storage['transact']): Outbox {
  return {
    claim: (claim) => transact((tx) => tx.outbox.claim(claim)),
    markDelivered: (delivered) => transact((tx) => tx.outbox.markDelivered(delivered)),
    deleteFinished: (changedUntil, limit) => transact((tx) => tx.outbox.deleteFinished(changedUntil, limit)),
    backlog: () => transact((tx) => tx.outbox.backlog()),
  }
}
