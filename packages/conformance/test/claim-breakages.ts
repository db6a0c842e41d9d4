import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { pastInstant } from '../src/sample-deliveries.ts'
import {
  alterClaim,
  alterClaimed,
  alterClaimInput,
  chooseClaimed,
  mergeByWebhook,
  remembersHosts,
  shiftInstant,
  takeFirst,
} from './altered-claims.ts'
import type { Breakage } from './breakage.ts'
import { applyLimits } from './deferred-outbox.ts'
import { deferredStorage } from './deferred-storage.ts'
import { commitsEachCall } from './transaction-breakages.ts'

const GIVEN =
  'claims: what is due is given and stored as it was, but sending, due again at `until`, its lease one higher'
const LEASED = 'claims: what is claimed is nobody else’s until its lease ends, and then anybody’s'
const DUE =
  'claims: what is due at this moment is claimed; what is due later, over or deleted is not, and stays as it is'
const ASKED =
  'claims: `share` is asked once for each lane where something is due, with what is counted up to `each`; that which has waited longest first'
const HOSTS =
  'claims: a lane has the host that its webhook has now, and none where it is deleted, or erased, or of another workspace'
const SHARED = 'claims: of each lane as many are taken as `share` says, but no more than it was told of'
const ALONE =
  'claims: a lane of which nothing is taken stays as it is, and what waits there keeps no other waiting'

export const CLAIM_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A claim counts',
    breakage: 'the lease stays what it was',
    noticedBy: GIVEN,
    open: () => alterClaimed((after) => ({ ...after, lease: after.lease - 1 })),
  },
  {
    guarantee: 'A claim is stored as it is given',
    breakage: 'the lease that is given is not the one stored',
    noticedBy: GIVEN,
    open: () =>
      alterClaim(({ claim }) => async (asked) => {
        const claimed = await claim(asked)
        return claimed.map(({ workspace_id, delivery }) => ({
          workspace_id,
          delivery: { ...delivery, lease: delivery.lease + 1 },
        }))
      }),
  },
  {
    guarantee: 'What is claimed is under way',
    breakage: 'it is not marked as sending',
    noticedBy: GIVEN,
    open: () => alterClaimed((after) => ({ ...after, sending: false })),
  },
  {
    guarantee: 'Claims are of all workspaces',
    breakage: 'they are of the one whose delivery is due longest',
    noticedBy: GIVEN,
    open: () =>
      chooseClaimed((due, claim) =>
        applyLimits(
          due.filter(({ lane }) => lane.workspace_id === due[0]!.lane.workspace_id),
          claim,
        ),
      ),
  },
  {
    guarantee: 'What is due at the moment is due',
    breakage: 'it is due a millisecond later',
    noticedBy: DUE,
    open: () => alterClaimInput((claim) => ({ now: shiftInstant(claim.now, -1) })),
  },
  {
    guarantee: 'What is due later waits',
    breakage: 'claims look a millisecond ahead',
    noticedBy: DUE,
    open: () => alterClaimInput((claim) => ({ now: shiftInstant(claim.now, 1) })),
  },
  {
    guarantee: 'What is claimed is nobody else’s',
    breakage: 'it stays due',
    noticedBy: LEASED,
    open: () => alterClaimed((after, { now }) => ({ ...after, due_at: now })),
  },
  {
    guarantee: 'A lease ends',
    breakage: 'what is claimed is never due again',
    noticedBy: LEASED,
    open: () => alterClaimed((after) => ({ ...after, due_at: null })),
  },
  {
    guarantee: 'A clock that is set back puts nothing off',
    breakage: 'nobody looks beyond the horizon',
    noticedBy:
      'claims: what is due after the horizon was put off by a clock that has been set back: it is claimed, after what is due',
    open: () => alterClaimInput(() => ({ horizon: '9999-12-31T23:59:59.999Z' })),
  },
  {
    guarantee: 'The lane that has waited longest goes first',
    breakage: 'the one that has waited longest goes last',
    noticedBy: ASKED,
    open: () => chooseClaimed((due, claim) => applyLimits(due.toReversed(), claim)),
  },
  {
    guarantee: 'What is due is counted up to `each`',
    breakage: 'all of it is',
    noticedBy: ASKED,
    open: () => alterClaimInput(() => ({ maxPerQueue: Infinity })),
  },
  {
    guarantee: 'What is due later is not counted',
    breakage: 'all that waits in a lane is',
    noticedBy: ASKED,
    open: () =>
      alterClaimInput(({ quota: share }) => ({
        now: pastInstant(9),
        quota: (lane) => Math.min(0, share(lane)),
      })),
  },
  {
    guarantee: 'A lane has a host',
    breakage: 'nobody looks at its webhook',
    noticedBy: HOSTS,
    open: () =>
      alterClaimInput(({ quota: share }) => ({ quota: (lane) => share({ ...lane, host: undefined }) })),
  },
  {
    guarantee: 'The host of a lane is the present one',
    breakage: 'it is the one that the first claim found',
    noticedBy: HOSTS,
    open: remembersHosts,
  },
  {
    guarantee: 'A lane is of one workspace',
    breakage: 'webhooks of one id share a lane',
    noticedBy: 'claims: webhooks of one id in two workspaces are two lanes',
    open: () => chooseClaimed((due, claim) => applyLimits(mergeByWebhook(due), claim)),
  },
  {
    guarantee: 'Of a lane, what has been due longest goes first',
    breakage: 'what came last goes first',
    noticedBy: 'claims: of a lane goes first what has been due longest',
    open: () =>
      chooseClaimed((due, claim) =>
        applyLimits(
          due.map(({ lane, claimed }) => ({ lane, claimed: claimed.toReversed() })),
          claim,
        ),
      ),
  },
  {
    guarantee: 'A lane gets its share',
    breakage: 'all that was counted is taken',
    noticedBy: SHARED,
    open: () =>
      alterClaimInput(({ quota: share }) => ({ quota: (lane) => (share(lane) > 0 ? lane.dueCount : 0) })),
  },
  {
    guarantee: 'A lane gets no more than was counted',
    breakage: 'a share without bounds is all that waits',
    noticedBy: SHARED,
    open: () =>
      alterClaimInput(({ maxPerQueue: each, quota: share }) => ({
        maxPerQueue: Infinity,
        quota: (lane) => share({ ...lane, dueCount: Math.min(lane.dueCount, each) }),
      })),
  },
  {
    guarantee: 'A share below nothing is none',
    breakage: 'it is without bounds',
    noticedBy: SHARED,
    open: () =>
      alterClaimInput(({ quota: share }) => ({
        quota: (lane) => {
          const most = share(lane)
          return most < 0 ? Infinity : most
        },
      })),
  },
  {
    guarantee: 'A lane of which nothing is to be taken is left alone',
    breakage: 'each lane gets one at least',
    noticedBy: ALONE,
    open: () => alterClaimInput(({ quota: share }) => ({ quota: (lane) => Math.max(1, share(lane)) })),
  },
  {
    guarantee: 'A busy lane keeps no other waiting',
    breakage: 'only the first that are due are looked at',
    noticedBy: ALONE,
    open: () => chooseClaimed((due, claim) => applyLimits(takeFirst(due, 100), claim)),
  },
  {
    guarantee: 'A claim sees what its transaction wrote',
    breakage: 'it sees what is committed',
    noticedBy:
      'claims: a claim sees what its transaction wrote before, waited for or not, and what it claims is seen after it',
    open: () => deferredStorage({ sight: 'none' }),
  },
  {
    guarantee: 'A claim is undone with its transaction',
    breakage: 'it commits by itself',
    noticedBy:
      'claims: what was claimed in a transaction that throws, or in a part that does, is due as before',
    open: commitsEachCall,
  },
  {
    guarantee: 'No two claims take the same one',
    breakage: 'those that run side by side do',
    noticedBy: 'claims: of twenty that claim at once, no two take the same one, and in the end all are taken',
    open: () => deferredStorage({ claim: 'free' }),
  },
  {
    guarantee: 'Claims do not wait for each other',
    breakage: 'one waits until the other is committed',
    noticedBy: 'claims: those who claim at once do not wait for each other',
    open: () => deferredStorage({ claim: 'waits' }),
  },
  {
    guarantee: 'read claims nothing',
    breakage: 'read is transact by another name',
    noticedBy: 'claims: within a read, and once its work is over, a transaction neither claims nor forgets',
    open: () => {
      const sound = memoryStorage()
      return { ...sound, read: (work) => sound.transact(work) }
    },
  },
  {
    guarantee: 'A transaction claims while its work lasts',
    breakage: 'every call is a transaction of its own',
    noticedBy: 'claims: within a read, and once its work is over, a transaction neither claims nor forgets',
    open: commitsEachCall,
  },
]
