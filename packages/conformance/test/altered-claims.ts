import { memoryStorage } from '@sales-crm/core/memory'
import type { Claim, ClaimedDelivery, Instant, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { rollBackAlways } from './altered-savepoints.ts'
import { claimAllDue, type DueQueue } from './deferred-outbox.ts'

type Delivery = ClaimedDelivery['delivery']

export function alterClaim(claim: (outbox: Outbox, tx: Transaction) => Outbox['claim']): Storage {
  const memory = memoryStorage()
  return {
    ...memory,
    transact: (work) =>
      memory.transact((tx) => work({ ...tx, outbox: { ...tx.outbox, claim: claim(tx.outbox, tx) } })),
  }
}

/** A store that claims with other options. */
export function alterClaimInput(changes: (claim: Claim) => Partial<Claim>): Storage {
  return alterClaim((outbox) => (claim) => outbox.claim({ ...claim, ...changes(claim) }))
}

/** A store that applies `change` to the claimed deliveries it stores and returns. */
export function alterClaimed(change: (delivery: Delivery, claim: Claim) => Delivery): Storage {
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

/** A store that claims the deliveries `choose` selects from all due ones, by queue, longest due first. */
export function chooseClaimed(
  choose: (due: readonly DueQueue[], claim: Claim) => readonly ClaimedDelivery[],
): Storage {
  return alterClaim((outbox, tx) => async (claim) => {
    const chosen = choose(await rollBackAlways(tx)(() => claimAllDue(outbox, claim)), claim)
    for (const { workspace_id, delivery } of chosen)
      await tx.workspace(workspace_id).deliveries.update(delivery)
    return chosen
  })
}

export function takeFirst(due: readonly DueQueue[], count: number): DueQueue[] {
  let remaining = count
  return due.map(({ queue, deliveries }) => {
    const first = deliveries.slice(0, remaining)
    remaining -= first.length
    return { queue, deliveries: first }
  })
}

export function mergeByWebhook(due: readonly DueQueue[]): DueQueue[] {
  const byWebhook = Map.groupBy(due, ({ queue }) => queue.webhook_id)
  return [...byWebhook.values()].map((group) => ({
    queue: group[0]!.queue,
    deliveries: group.flatMap(({ deliveries }) => deliveries),
  }))
}

/** A store that caches the host of each webhook. */
export function cacheHosts(): Storage {
  const hosts = new Map<string, string | undefined>()
  return alterClaimInput(({ quota }) => ({
    quota(queue) {
      const { webhook_id } = queue
      if (!hosts.has(webhook_id)) hosts.set(webhook_id, queue.host)
      return quota({ ...queue, host: hosts.get(webhook_id) })
    },
  }))
}

export function shiftInstant(at: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(at) + milliseconds).toISOString()
}
