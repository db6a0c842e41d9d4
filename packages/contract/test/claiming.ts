import { memoryStorage } from '@sales-crm/core/memory'
import type { Claim, Claimed, Instant, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { takesBack } from './attempting.ts'
import { allDue, type DueLane } from './late-outbox.ts'

type Delivery = Claimed['delivery']

export function claiming(claim: (outbox: Outbox, tx: Transaction) => Outbox['claim']): Storage {
  const sound = memoryStorage()
  return {
    ...sound,
    transact: (work) => sound.transact((tx) => work({ ...tx, outbox: { ...tx.outbox, claim: claim(tx.outbox, tx) } })),
  }
}

/** Claims as if something else had been asked. */
export function asking(changes: (claim: Claim) => Partial<Claim>): Storage {
  return claiming((outbox) => (claim) => outbox.claim({ ...claim, ...changes(claim) }))
}

/** What is claimed is stored and given as `change` has it. */
export function leaving(change: (after: Delivery, claim: Claim) => Delivery): Storage {
  return claiming((outbox, tx) => async (claim) => {
    const claimed = await outbox.claim(claim)
    const changed = claimed.map(({ workspace_id, delivery }) => ({ workspace_id, delivery: change(delivery, claim) }))
    for (const { workspace_id, delivery } of changed) await tx.workspace(workspace_id).deliveries.update(delivery)
    return changed
  })
}

/** `choose` is given all that is due, lane by lane in the order they have waited. */
export function choosing(choose: (due: readonly DueLane[], claim: Claim) => readonly Claimed[]): Storage {
  return claiming((outbox, tx) => async (claim) => {
    const chosen = choose(await takesBack(tx)(() => allDue(outbox, claim)), claim)
    for (const { workspace_id, delivery } of chosen) await tx.workspace(workspace_id).deliveries.update(delivery)
    return chosen
  })
}

export function firstOf(due: readonly DueLane[], most: number): DueLane[] {
  let left = most
  return due.map(({ lane, claimed }) => {
    const looked = claimed.slice(0, left)
    left -= looked.length
    return { lane, claimed: looked }
  })
}

export function merged(due: readonly DueLane[]): DueLane[] {
  const byWebhook = Map.groupBy(due, ({ lane }) => lane.webhook_id)
  return [...byWebhook.values()].map((lanes) => ({ lane: lanes[0]!.lane, claimed: lanes.flatMap(({ claimed }) => claimed) }))
}

export function remembersHosts(): Storage {
  const hosts = new Map<string, string | undefined>()
  return asking(({ share }) => ({
    share(lane) {
      const { webhook_id } = lane
      if (!hosts.has(webhook_id)) hosts.set(webhook_id, lane.host)
      return share({ ...lane, host: hosts.get(webhook_id) })
    },
  }))
}

export function moved(at: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(at) + milliseconds).toISOString()
}
