import { memoryStorage } from '@sales-crm/core/memory'
import type { Outbox, Storage, SuccessfulDelivery, Transaction } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'
import { commitsEachCall } from './transaction-breakages.ts'

const EACH =
  'markDelivered: each that is under way under its lease is delivered, with the attempt, whatever its workspace; the others stay as they are'
const STAYS =
  'markDelivered: one that was claimed since, given back, tried before, deleted, or is of another workspace stays as it is, and is not counted'
const OVER = 'markDelivered: within a read, and once its work is over, a transaction notes nothing'

export const DELIVERY_OUTCOME_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Each of many is noted',
    breakage: 'one is left out',
    noticedBy: EACH,
    open: () =>
      alterSaveDelivered(
        (outbox) => (all) =>
          outbox.markDelivered(all.slice(1)).then((noted) => noted + Math.min(1, all.length)),
      ),
  },
  {
    guarantee: 'Those of all workspaces are noted',
    breakage: 'they are of the first one',
    noticedBy: EACH,
    open: () =>
      alterSaveDelivered(
        (outbox) => (all) =>
          outbox.markDelivered(all.filter(({ workspace_id }) => workspace_id === all[0]!.workspace_id)),
      ),
  },
  {
    guarantee: 'The attempt is kept',
    breakage: 'what was answered is not',
    noticedBy: EACH,
    open: () =>
      alterSaveDelivered(
        (outbox) => (all) =>
          outbox.markDelivered(
            all.map((each) => ({ ...each, attempt: { ...each.attempt, response: null } })),
          ),
      ),
  },
  {
    guarantee: 'A delivery is noted under its lease alone',
    breakage: 'whatever the lease, it is',
    noticedBy: STAYS,
    open: () => saveDeliveredIf(({ sending }) => sending),
  },
  {
    guarantee: 'What was given back is not noted',
    breakage: 'the lease alone counts',
    noticedBy: STAYS,
    open: () => saveDeliveredIf(({ lease }, told) => lease === told.lease),
  },
  {
    guarantee: 'Attempts before are kept',
    breakage: 'they are written over',
    noticedBy: STAYS,
    open: () => saveDeliveredIf(({ sending, lease }, told) => sending && lease === told.lease),
  },
  {
    guarantee: 'How many were noted is counted',
    breakage: 'all are',
    noticedBy: STAYS,
    open: () => alterSaveDelivered((outbox) => (all) => outbox.markDelivered(all).then(() => all.length)),
  },
  {
    guarantee: 'What is noted is undone with its transaction',
    breakage: 'it commits by itself',
    noticedBy: 'markDelivered: it sees what its transaction claimed, and is undone with it',
    open: commitsEachCall,
  },
  {
    guarantee: 'A transaction notes while its work lasts',
    breakage: 'every call is a transaction of its own',
    noticedBy: OVER,
    open: commitsEachCall,
  },
  {
    guarantee: 'read notes nothing',
    breakage: 'read is transact by another name',
    noticedBy: OVER,
    open: () => {
      const sound = memoryStorage()
      return { ...sound, read: (work) => sound.transact(work) }
    },
  },
]

function alterSaveDelivered(note: (outbox: Outbox, tx: Transaction) => Outbox['markDelivered']): Storage {
  const sound = memoryStorage()
  return {
    ...sound,
    transact: (work) =>
      sound.transact((tx) => work({ ...tx, outbox: { ...tx.outbox, markDelivered: note(tx.outbox, tx) } })),
  }
}

/** Notes all that `may` be noted, one by one. */
function saveDeliveredIf(
  may: (held: { readonly sending: boolean; readonly lease: number }, told: SuccessfulDelivery) => boolean,
): Storage {
  return alterSaveDelivered((_, tx) => async (all) => {
    let noted = 0
    for (const told of all) {
      const { deliveries } = tx.workspace(told.workspace_id)
      const held = await deliveries.get(told.id)
      if (!held || !may(held, told)) continue
      const after = {
        attempts: [told.attempt],
        attempts_count: 1,
        due_at: null,
        sending: false,
        updated_at: told.updated_at,
      }
      await deliveries.update({ ...held, ...after, status: 'delivered', reason: null })
      noted += 1
    }
    return noted
  })
}
