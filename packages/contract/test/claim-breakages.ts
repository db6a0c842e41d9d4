import { memoryStorage } from '@sales-crm/core/memory'
import type { Claim, Claimed, Instant, Outbox, Storage, Transaction } from '@sales-crm/core/ports'
import { takesBack } from './attempting.ts'
import type { Breakage } from './breakage.ts'
import { bounded } from './late-outbox.ts'
import { lateStorage } from './late-storage.ts'
import { commitsEachCall } from './transaction-breakages.ts'

type Delivery = Claimed['delivery']

const GIVEN = 'claims: what is due is given and stored as it was, but sending, due again at `until`, its lease one higher'
const LEASED = 'claims: what is claimed is nobody else’s until its lease ends, and then anybody’s'
const DUE = 'claims: what is due at this moment is claimed; what is due later, over or deleted is not, and stays as it is'
const BOUNDED = 'claims: no host gets more than `mostPerHost`, or than `room` says of it, and all together no more than `most`'

export const CLAIM_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A claim counts',
    breakage: 'the lease stays what it was',
    noticedBy: GIVEN,
    open: () => leaving((after) => ({ ...after, lease: after.lease - 1 })),
  },
  {
    guarantee: 'A claim is stored as it is given',
    breakage: 'the lease that is given is not the one stored',
    noticedBy: GIVEN,
    open: () =>
      claiming(({ claim }) => async (asked) => {
        const claimed = await claim(asked)
        return claimed.map(({ workspace_id, delivery }) => ({ workspace_id, delivery: { ...delivery, lease: delivery.lease + 1 } }))
      }),
  },
  {
    guarantee: 'What is claimed is under way',
    breakage: 'it is not marked as sending',
    noticedBy: GIVEN,
    open: () => leaving((after) => ({ ...after, sending: false })),
  },
  {
    guarantee: 'Claims are of all workspaces',
    breakage: 'they are of the one whose delivery is due longest',
    noticedBy: GIVEN,
    open: () => choosing((due, claim) => bounded(due, claim).filter(({ workspace_id }) => workspace_id === due[0]?.workspace_id)),
  },
  {
    guarantee: 'What is due at the moment is due',
    breakage: 'it is due a millisecond later',
    noticedBy: DUE,
    open: () => asking((claim) => ({ now: moved(claim.now, -1) })),
  },
  {
    guarantee: 'What is due later waits',
    breakage: 'claims look a millisecond ahead',
    noticedBy: DUE,
    open: () => asking((claim) => ({ now: moved(claim.now, 1) })),
  },
  {
    guarantee: 'What is claimed is nobody else’s',
    breakage: 'it stays due',
    noticedBy: LEASED,
    open: () => leaving((after, { now }) => ({ ...after, due_at: now })),
  },
  {
    guarantee: 'A lease ends',
    breakage: 'what is claimed is never due again',
    noticedBy: LEASED,
    open: () => leaving((after) => ({ ...after, due_at: null })),
  },
  {
    guarantee: 'A clock that is set back puts nothing off',
    breakage: 'nobody looks beyond the horizon',
    noticedBy: 'claims: what is due after the horizon was put off by a clock that has been set back: it is claimed, after what is due',
    open: () => asking(() => ({ horizon: '9999-12-31T23:59:59.999Z' })),
  },
  {
    guarantee: 'The host that has waited longest goes first',
    breakage: 'hosts go by name',
    noticedBy: 'claims: the host that has waited longest goes first',
    open: () =>
      choosing((due, claim) =>
        bounded(
          due.toSorted((a, b) => (a.delivery.host < b.delivery.host ? -1 : 1)),
          claim,
        ),
      ),
  },
  {
    guarantee: 'Of a host, what has been due longest goes first',
    breakage: 'what came last goes first',
    noticedBy: 'claims: of each host goes first what has been due longest',
    open: () => choosing((due, claim) => bounded(due.toReversed(), claim)),
  },
  {
    guarantee: 'A claim takes no more than `most`',
    breakage: 'it takes all that hosts have room for',
    noticedBy: BOUNDED,
    open: () => asking(() => ({ most: Infinity })),
  },
  {
    guarantee: 'A host gets no more than `mostPerHost`',
    breakage: 'it gets all that waits for it',
    noticedBy: BOUNDED,
    open: () => asking(() => ({ mostPerHost: Infinity })),
  },
  {
    guarantee: 'A host has the room it is said to have',
    breakage: 'all hosts have the same',
    noticedBy: BOUNDED,
    open: () => asking(() => ({ room: new Map() })),
  },
  {
    guarantee: 'A host with no room is left alone',
    breakage: 'no room is taken for nothing said',
    noticedBy: 'claims: a host with no room is left alone, and what waits for it keeps no other waiting',
    open: () => asking(({ room }) => ({ room: new Map([...room].filter(([, most]) => most > 0)) })),
  },
  {
    guarantee: 'A busy host keeps no other waiting',
    breakage: 'only the first that are due are looked at',
    noticedBy: 'claims: a host with no room is left alone, and what waits for it keeps no other waiting',
    open: () => choosing((due, claim) => bounded(due.slice(0, claim.most), claim)),
  },
  {
    guarantee: 'A host with little room leaves the rest to others',
    breakage: 'what it has no room for is taken off the whole',
    noticedBy: 'claims: a host with little room is given no more, and the others what is left',
    open: () => choosing((due, claim) => bounded(due.slice(0, claim.most), claim)),
  },
  {
    guarantee: 'A claim sees what its transaction wrote',
    breakage: 'it sees what is committed',
    noticedBy: 'claims: a claim sees what its transaction wrote before, waited for or not, and what it claims is seen after it',
    open: () => lateStorage({ sight: 'none' }),
  },
  {
    guarantee: 'A claim is undone with its transaction',
    breakage: 'it commits by itself',
    noticedBy: 'claims: what was claimed in a transaction that throws, or in a part that does, is due as before',
    open: commitsEachCall,
  },
  {
    guarantee: 'No two claims take the same one',
    breakage: 'those that run side by side do',
    noticedBy: 'claims: of twenty that claim at once, no two take the same one, and in the end all are taken',
    open: () => lateStorage({ claim: 'free' }),
  },
  {
    guarantee: 'Claims do not wait for each other',
    breakage: 'one waits until the other is committed',
    noticedBy: 'claims: those who claim at once do not wait for each other',
    open: () => lateStorage({ claim: 'waits' }),
  },
  {
    guarantee: 'read claims nothing',
    breakage: 'read is transact by another name',
    noticedBy: 'claims: within a read, and once its work is over, a transaction neither claims nor forgets',
    open: () => {
      const sound = memoryStorage()
      return { ...sound, read: sound.transact }
    },
  },
  {
    guarantee: 'A transaction claims while its work lasts',
    breakage: 'every call is a transaction of its own',
    noticedBy: 'claims: within a read, and once its work is over, a transaction neither claims nor forgets',
    open: commitsEachCall,
  },
]

function claiming(claim: (outbox: Outbox, tx: Transaction) => Outbox['claim']): Storage {
  const sound = memoryStorage()
  return {
    ...sound,
    transact: (work) => sound.transact((tx) => work({ ...tx, outbox: { ...tx.outbox, claim: claim(tx.outbox, tx) } })),
  }
}

/** Claims as if something else had been asked. */
function asking(changes: (claim: Claim) => Partial<Claim>): Storage {
  return claiming((outbox) => (claim) => outbox.claim({ ...claim, ...changes(claim) }))
}

/** What is claimed is stored and given as `change` has it. */
function leaving(change: (after: Delivery, claim: Claim) => Delivery): Storage {
  return claiming((outbox, tx) => async (claim) => {
    const claimed = await outbox.claim(claim)
    const changed = claimed.map(({ workspace_id, delivery }) => ({ workspace_id, delivery: change(delivery, claim) }))
    for (const { workspace_id, delivery } of changed) await tx.workspace(workspace_id).deliveries.update(delivery)
    return changed
  })
}

/** `choose` is given all that is due: host by host in the order they have waited, and of each host in order. */
function choosing(choose: (due: readonly Claimed[], claim: Claim) => readonly Claimed[]): Storage {
  return claiming((outbox, tx) => async (claim) => {
    const all = { ...claim, most: Infinity, mostPerHost: Infinity, room: new Map() }
    const chosen = choose(await takesBack(tx)(() => outbox.claim(all)), claim)
    for (const { workspace_id, delivery } of chosen) await tx.workspace(workspace_id).deliveries.update(delivery)
    return chosen
  })
}

function moved(at: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(at) + milliseconds).toISOString()
}
