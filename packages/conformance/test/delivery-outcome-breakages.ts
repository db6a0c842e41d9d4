import { memoryStorage } from '@sales-crm/core/memory'
import type { Outbox, Storage, SuccessfulDelivery, Transaction } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'
import { commitEachCall } from './broken-transactions.ts'

const MARKED =
  'markDelivered: marks deliveries in flight under the given lease, in any workspace, and no others'
const SKIPPED =
  'markDelivered: skips deliveries with another lease, not sending, attempted before, deleted or elsewhere'
const REJECTED = 'markDelivered: rejects within a read and after the work has ended'

export const DELIVERY_OUTCOME_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Every delivery is marked',
    breakage: 'one delivery is skipped',
    noticedBy: MARKED,
    open: () =>
      alterMarkDelivered(
        (outbox) => (all) =>
          outbox.markDelivered(all.slice(1)).then((count) => count + Math.min(1, all.length)),
      ),
  },
  {
    guarantee: 'Deliveries of all workspaces are marked',
    breakage: 'only deliveries of the first workspace are marked',
    noticedBy: MARKED,
    open: () =>
      alterMarkDelivered(
        (outbox) => (all) =>
          outbox.markDelivered(all.filter(({ workspace_id }) => workspace_id === all[0]!.workspace_id)),
      ),
  },
  {
    guarantee: 'The attempt is stored',
    breakage: 'the response of the attempt is not stored',
    noticedBy: MARKED,
    open: () =>
      alterMarkDelivered(
        (outbox) => (all) =>
          outbox.markDelivered(
            all.map((each) => ({ ...each, attempt: { ...each.attempt, response: null } })),
          ),
      ),
  },
  {
    guarantee: 'A delivered delivery has no reason',
    breakage: 'the reason of an earlier failure is kept',
    noticedBy: MARKED,
    open: keepReason,
  },
  {
    guarantee: 'A delivery is marked only under its lease',
    breakage: 'the lease is ignored',
    noticedBy: SKIPPED,
    open: () => markDeliveredIf(({ sending }) => sending),
  },
  {
    guarantee: 'A released delivery is not marked',
    breakage: 'only the lease is compared',
    noticedBy: SKIPPED,
    open: () => markDeliveredIf(({ lease }, outcome) => lease === outcome.lease),
  },
  {
    guarantee: 'Earlier attempts are kept',
    breakage: 'earlier attempts are overwritten',
    noticedBy: SKIPPED,
    open: () => markDeliveredIf(({ sending, lease }, outcome) => sending && lease === outcome.lease),
  },
  {
    guarantee: 'The marked deliveries are counted',
    breakage: 'all given deliveries are counted',
    noticedBy: SKIPPED,
    open: () => alterMarkDelivered((outbox) => (all) => outbox.markDelivered(all).then(() => all.length)),
  },
  {
    guarantee: 'markDelivered is rolled back with its transaction',
    breakage: 'markDelivered commits by itself',
    noticedBy: 'markDelivered: sees earlier writes of its transaction and is rolled back with it',
    open: commitEachCall,
  },
  {
    guarantee: 'markDelivered rejects after the work has ended',
    breakage: 'every call is a transaction of its own',
    noticedBy: REJECTED,
    open: commitEachCall,
  },
  {
    guarantee: 'A read rejects markDelivered',
    breakage: 'read is an alias of transact',
    noticedBy: REJECTED,
    open: () => {
      const storage = memoryStorage()
      return { ...storage, read: (work) => storage.transact(work) }
    },
  },
]

function alterMarkDelivered(
  markDelivered: (outbox: Outbox, tx: Transaction) => Outbox['markDelivered'],
): Storage {
  const storage = memoryStorage()
  return {
    ...storage,
    transact: (work) =>
      storage.transact((tx) =>
        work({ ...tx, outbox: { ...tx.outbox, markDelivered: markDelivered(tx.outbox, tx) } }),
      ),
  }
}

function keepReason(): Storage {
  return alterMarkDelivered((outbox, tx) => async (all) => {
    const storeOf = (workspace: string) => tx.workspace(workspace).deliveries
    const before = await Promise.all(all.map(({ workspace_id, id }) => storeOf(workspace_id).get(id)))
    const count = await outbox.markDelivered(all)
    for (const [nth, { workspace_id, id }] of all.entries()) {
      const delivery = await storeOf(workspace_id).get(id)
      if (delivery) await storeOf(workspace_id).update({ ...delivery, reason: before[nth]!.reason })
    }
    return count
  })
}

/** A store that marks the deliveries for which `canMark` returns true. */
function markDeliveredIf(
  canMark: (
    delivery: { readonly sending: boolean; readonly lease: number },
    outcome: SuccessfulDelivery,
  ) => boolean,
): Storage {
  return alterMarkDelivered((_, tx) => async (all) => {
    let count = 0
    for (const outcome of all) {
      const { deliveries } = tx.workspace(outcome.workspace_id)
      const delivery = await deliveries.get(outcome.id)
      if (!delivery || !canMark(delivery, outcome)) continue
      const changes = {
        attempts: [outcome.attempt],
        attempts_count: 1,
        due_at: null,
        sending: false,
        updated_at: outcome.updated_at,
      }
      await deliveries.update({ ...delivery, ...changes, status: 'delivered', reason: null })
      count += 1
    }
    return count
  })
}
