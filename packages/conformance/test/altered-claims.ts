import { memoryStorage } from '@sales-crm/core/memory'
import type { Claim, ClaimedDelivery, Instant, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { rollsBack } from './altered-savepoints.ts'
import { claimAllDue, type DueLane } from './deferred-outbox.ts'

type Delivery = ClaimedDelivery['delivery']

export function alterClaim(claim: (outbox: Outbox, tx: Transaction) => Outbox['claim']): Storage {
  const memory = memoryStorage()
  return {
    ...memory,
    transact: (work) =>
      memory.transact((tx) => work({ ...tx, outbox: { ...tx.outbox, claim: claim(tx.outbox, tx) } })),
  }
}

/** Claims as if something else had been asked. */
export function alterClaimInput(changes: (claim: Claim) => Partial<Claim>): Storage {
  return alterClaim((outbox) => (claim) => outbox.claim({ ...claim, ...changes(claim) }))
}

/** What is claimed is stored and given as `change` has it. */
export function alterClaimed(change: (after: Delivery, claim: Claim) => Delivery): Storage {
  return alterClaim((outbox, tx) => async (claim) => {
    const claimed = await outbox.claim(claim)
    const changed = claimed.map(({ workspace_id, delivery }) => ({
      workspace_id,
      delivery: change(delivery, claim),
    }))
    for (const { workspace_id, delivery } of changed)
      await tx.workspace(workspace_id).deliveries.update(delivery)
    return changed
  })
}

/** `choose` is given all that is due, lane by lane in the order they have waited. */
export function chooseClaimed(
  choose: (due: readonly DueLane[], claim: Claim) => readonly ClaimedDelivery[],
): Storage {
  return alterClaim((outbox, tx) => async (claim) => {
    const chosen = choose(await rollsBack(tx)(() => claimAllDue(outbox, claim)), claim)
    for (const { workspace_id, delivery } of chosen)
      await tx.workspace(workspace_id).deliveries.update(delivery)
    return chosen
  })
}

export function takeFirst(due: readonly DueLane[], most: number): DueLane[] {
  let left = most
  return due.map(({ lane, claimed }) => {
    const looked = claimed.slice(0, left)
    left -= looked.length
    return { lane, claimed: looked }
  })
}

export function mergeByWebhook(due: readonly DueLane[]): DueLane[] {
  const byWebhook = Map.groupBy(due, ({ lane }) => lane.webhook_id)
  return [...byWebhook.values()].map((lanes) => ({
    lane: lanes[0]!.lane,
    claimed: lanes.flatMap(({ claimed }) => claimed),
  }))
}

export function remembersHosts(): Storage {
  const hosts = new Map<string, string | undefined>()
  return alterClaimInput(({ quota: share }) => ({
    quota(lane) {
      const { webhook_id } = lane
      if (!hosts.has(webhook_id)) hosts.set(webhook_id, lane.host)
      return share({ ...lane, host: hosts.get(webhook_id) })
    },
  }))
}

export function shiftInstant(at: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(at) + milliseconds).toISOString()
}
