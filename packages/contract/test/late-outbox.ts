import type { Claim, Claimed, Lane, Outbox, Storage } from '@sales-crm/core/ports'
import { peek, type Reserve, type Unit, type Weakness } from './late-unit.ts'

type IsFree = (key: string) => boolean

export function lateOutbox(inner: Storage, { writes }: Unit, reserve: Reserve, isFree: IsFree, weakness: Weakness): Outbox {
  return {
    async claim(claim) {
      if (weakness.claim === 'waits') await reserve(['claim'], 'alone')
      const held: Promise<void>[] = []
      // Chosen and held in one turn of the store within: nobody commits between.
      const claimed = await peek(inner, weakness.sight === 'none' ? [] : writes.slice(), async (tx) => {
        const due = await allDue(tx.outbox, claim)
        const free = due.map(({ lane, claimed }) => ({
          lane,
          claimed: claimed.filter(({ delivery }) => weakness.claim === 'free' || isFree(delivery.id)),
        }))
        const taken = bounded(free, claim)
        held.push(...taken.map(({ delivery }) => reserve([delivery.id], weakness.claim === 'free' ? 'free' : 'alone')))
        return taken
      })
      for (const { workspace_id, delivery } of claimed) writes.push((tx) => tx.workspace(workspace_id).deliveries.update(delivery))
      await Promise.all(held)
      return claimed
    },
    async noteDelivered(delivered) {
      await reserve(
        delivered.map(({ id }) => id),
        'alone',
      )
      const before = writes.slice()
      writes.push((tx) => tx.outbox.noteDelivered(delivered))
      return peek(inner, before, (tx) => tx.outbox.noteDelivered(delivered))
    },
    async forget(changed, most) {
      await reserve(['forget'], weakness.forget ?? 'alone')
      const before = writes.slice()
      writes.push((tx) => tx.outbox.forget(changed, most))
      return peek(inner, before, (tx) => tx.outbox.forget(changed, most))
    },
    backlog: () => peek(inner, weakness.sight === 'none' ? [] : writes.slice(), (tx) => tx.outbox.backlog()),
  }
}

export interface DueLane {
  readonly lane: Lane
  /** What has been due longest first. */
  readonly claimed: readonly Claimed[]
}

/** Claims all that is due, lane by lane in the order they have waited: so the memory store gives it. */
export async function allDue(outbox: Outbox, claim: Claim): Promise<DueLane[]> {
  const lanes: Lane[] = []
  const share = (lane: Lane) => {
    lanes.push(lane)
    return lane.waiting
  }
  const claimed = await outbox.claim({ ...claim, each: Infinity, share })
  let taken = 0
  return lanes.map((lane) => {
    const start = taken
    taken += lane.waiting
    return { lane, claimed: claimed.slice(start, taken) }
  })
}

export function bounded(due: readonly DueLane[], { each, share }: Claim): Claimed[] {
  return due.flatMap(({ lane, claimed }) => {
    const waiting = Math.min(claimed.length, each)
    if (waiting <= 0) return []
    return claimed.slice(0, Math.max(0, Math.min(share({ ...lane, waiting }), waiting)))
  })
}

export function outboxByCall(transact: Storage['transact']): Outbox {
  return {
    claim: (claim) => transact((tx) => tx.outbox.claim(claim)),
    noteDelivered: (delivered) => transact((tx) => tx.outbox.noteDelivered(delivered)),
    forget: (changed, most) => transact((tx) => tx.outbox.forget(changed, most)),
    backlog: () => transact((tx) => tx.outbox.backlog()),
  }
}
