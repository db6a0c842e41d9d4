import type { Claim, Claimed, Outbox, Storage } from '@sales-crm/core/ports'
import { peek, type Reserve, type Unit, type Weakness } from './late-unit.ts'

type IsFree = (key: string) => boolean

export function lateOutbox(inner: Storage, { writes }: Unit, reserve: Reserve, isFree: IsFree, weakness: Weakness): Outbox {
  return {
    async claim(claim) {
      if (weakness.claim === 'waits') await reserve(['claim'], 'alone')
      const held: Promise<void>[] = []
      // Chosen and held in one turn of the store within: nobody commits between.
      const claimed = await peek(inner, weakness.sight === 'none' ? [] : writes.slice(), async (tx) => {
        const due = await tx.outbox.claim({ ...claim, most: Infinity, mostPerHost: Infinity, room: new Map() })
        const free = due.filter(({ delivery }) => weakness.claim === 'free' || isFree(delivery.id))
        const taken = bounded(free, claim)
        held.push(...taken.map(({ delivery }) => reserve([delivery.id], weakness.claim === 'free' ? 'free' : 'alone')))
        return taken
      })
      for (const { workspace_id, delivery } of claimed) writes.push((tx) => tx.workspace(workspace_id).deliveries.update(delivery))
      await Promise.all(held)
      return claimed
    },
    async forget(made, most) {
      await reserve(['forget'], weakness.forget ?? 'alone')
      const before = writes.slice()
      writes.push((tx) => tx.outbox.forget(made, most))
      return peek(inner, before, (tx) => tx.outbox.forget(made, most))
    },
  }
}

export function bounded(due: readonly Claimed[], { most, mostPerHost, room }: Claim): Claimed[] {
  const taken = new Map<string, number>()
  const within = due.filter(({ delivery: { host } }) => {
    taken.set(host, (taken.get(host) ?? 0) + 1)
    return taken.get(host)! <= (room.get(host) ?? mostPerHost)
  })
  return within.slice(0, most)
}

export function outboxByCall(transact: Storage['transact']): Outbox {
  return {
    claim: (claim) => transact((tx) => tx.outbox.claim(claim)),
    forget: (made, most) => transact((tx) => tx.outbox.forget(made, most)),
  }
}
