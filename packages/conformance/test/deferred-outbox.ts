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
      if (weakness.claim === 'waits') await reserve(['claim'], 'alone')
      const held: Promise<void>[] = []
      // Chosen and held in one turn of the store within: nobody commits between.
      const claimed = await runAndRollBack(
        inner,
        weakness.sight === 'none' ? [] : writes.slice(),
        async (tx) => {
          const due = await claimAllDue(tx.outbox, claim)
          const free = due.map(({ lane, claimed }) => ({
            lane,
            claimed: claimed.filter(({ delivery }) => weakness.claim === 'free' || isFree(delivery.id)),
          }))
          const taken = applyLimits(free, claim)
          held.push(
            ...taken.map(({ delivery }) =>
              reserve([delivery.id], weakness.claim === 'free' ? 'free' : 'alone'),
            ),
          )
          return taken
        },
      )
      for (const { workspace_id, delivery } of claimed)
        writes.push((tx) => tx.workspace(workspace_id).deliveries.update(delivery))
      await Promise.all(held)
      return claimed
    },
    async markDelivered(delivered) {
      await reserve(
        delivered.map(({ id }) => id),
        'alone',
      )
      const before = writes.slice()
      writes.push((tx) => tx.outbox.markDelivered(delivered))
      return runAndRollBack(inner, before, (tx) => tx.outbox.markDelivered(delivered))
    },
    async deleteFinished(changed, most) {
      await reserve(['forget'], weakness.forget ?? 'alone')
      const before = writes.slice()
      writes.push((tx) => tx.outbox.deleteFinished(changed, most))
      return runAndRollBack(inner, before, (tx) => tx.outbox.deleteFinished(changed, most))
    },
    backlog: () =>
      runAndRollBack(inner, weakness.sight === 'none' ? [] : writes.slice(), (tx) => tx.outbox.backlog()),
  }
}

export interface DueLane {
  readonly lane: DeliveryQueue
  /** What has been due longest first. */
  readonly claimed: readonly ClaimedDelivery[]
}

/** Claims all that is due, lane by lane in the order they have waited: so the memory store gives it. */
export async function claimAllDue(outbox: Outbox, claim: Claim): Promise<DueLane[]> {
  const lanes: DeliveryQueue[] = []
  const share = (lane: DeliveryQueue) => {
    lanes.push(lane)
    return lane.dueCount
  }
  const claimed = await outbox.claim({ ...claim, maxPerQueue: Infinity, quota: share })
  let taken = 0
  return lanes.map((lane) => {
    const start = taken
    taken += lane.dueCount
    return { lane, claimed: claimed.slice(start, taken) }
  })
}

export function applyLimits(
  due: readonly DueLane[],
  { maxPerQueue: each, quota: share }: Claim,
): ClaimedDelivery[] {
  return due.flatMap(({ lane, claimed }) => {
    const waiting = Math.min(claimed.length, each)
    if (waiting <= 0) return []
    return claimed.slice(0, Math.max(0, Math.min(share({ ...lane, dueCount: waiting }), waiting)))
  })
}

export function outboxPerCall(transact: Storage['transact']): Outbox {
  return {
    claim: (claim) => transact((tx) => tx.outbox.claim(claim)),
    markDelivered: (delivered) => transact((tx) => tx.outbox.markDelivered(delivered)),
    deleteFinished: (changed, most) => transact((tx) => tx.outbox.deleteFinished(changed, most)),
    backlog: () => transact((tx) => tx.outbox.backlog()),
  }
}
