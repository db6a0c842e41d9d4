import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { pastInstant } from '../src/sample-deliveries.ts'
import {
  alterClaim,
  alterClaimed,
  alterClaimInput,
  cacheHosts,
  chooseClaimed,
  mergeByWebhook,
  shiftInstant,
  takeFirst,
} from './altered-claims.ts'
import type { Breakage } from './breakage.ts'
import { commitEachCall } from './broken-transactions.ts'
import { applyLimits } from './deferred-outbox.ts'
import { deferredStorage } from './deferred-storage.ts'

const CLAIMED_FIELDS =
  'claim: stores and returns due deliveries as sending, due at `leaseUntil`, with the lease incremented'
const LEASE = 'claim: takes a claimed delivery again only after its lease has ended'
const DUE_NOW = 'claim: takes deliveries due now and leaves later, finished and deleted ones unchanged'
const QUOTA_CALLS =
  'claim: calls `quota` once per queue with due deliveries, longest due first, counting to `maxPerQueue`'
const HOST = 'claim: passes the current host of the webhook, or none if it is deleted or of another workspace'
const QUOTA_LIMIT =
  'claim: takes as many deliveries of each queue as `quota` returns, but no more than were counted'
const QUOTA_ZERO =
  'claim: leaves a queue with quota 0 unchanged, and its deliveries do not delay other queues'

export const CLAIM_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A claim increments the lease',
    breakage: 'the lease is not incremented',
    noticedBy: CLAIMED_FIELDS,
    open: () => alterClaimed((delivery) => ({ ...delivery, lease: delivery.lease - 1 })),
  },
  {
    guarantee: 'A claim returns what it stores',
    breakage: 'the returned lease is not the stored one',
    noticedBy: CLAIMED_FIELDS,
    open: () =>
      alterClaim(({ claim }) => async (options) => {
        const claimed = await claim(options)
        return claimed.map(({ workspace_id, delivery }) => ({
          workspace_id,
          delivery: { ...delivery, lease: delivery.lease + 1 },
        }))
      }),
  },
  {
    guarantee: 'A claimed delivery is in flight',
    breakage: 'a claimed delivery is not marked as sending',
    noticedBy: CLAIMED_FIELDS,
    open: () => alterClaimed((delivery) => ({ ...delivery, sending: false })),
  },
  {
    guarantee: 'Claims cover all workspaces',
    breakage: 'claims cover only the workspace that has been due longest',
    noticedBy: CLAIMED_FIELDS,
    open: () =>
      chooseClaimed((due, claim) =>
        applyLimits(
          due.filter(({ queue }) => queue.workspace_id === due[0]!.queue.workspace_id),
          claim,
        ),
      ),
  },
  {
    guarantee: 'A delivery due now is claimed',
    breakage: 'deliveries become due a millisecond later',
    noticedBy: DUE_NOW,
    open: () => alterClaimInput((claim) => ({ now: shiftInstant(claim.now, -1) })),
  },
  {
    guarantee: 'A delivery due later is not claimed',
    breakage: 'claims look a millisecond ahead',
    noticedBy: DUE_NOW,
    open: () => alterClaimInput((claim) => ({ now: shiftInstant(claim.now, 1) })),
  },
  {
    guarantee: 'A claimed delivery is leased',
    breakage: 'a claimed delivery stays due',
    noticedBy: LEASE,
    open: () => alterClaimed((delivery, { now }) => ({ ...delivery, due_at: now })),
  },
  {
    guarantee: 'A lease ends',
    breakage: 'a claimed delivery is never due again',
    noticedBy: LEASE,
    open: () => alterClaimed((delivery) => ({ ...delivery, due_at: null })),
  },
  {
    guarantee: 'A clock that is set back postpones nothing',
    breakage: 'the horizon is ignored',
    noticedBy:
      'claim: takes deliveries beyond the horizon, left by a clock set back, after those that are due',
    open: () => alterClaimInput(() => ({ horizon: '9999-12-31T23:59:59.999Z' })),
  },
  {
    guarantee: 'The queue that has been due longest comes first',
    breakage: 'the queue that has been due longest comes last',
    noticedBy: QUOTA_CALLS,
    open: () => chooseClaimed((due, claim) => applyLimits(due.toReversed(), claim)),
  },
  {
    guarantee: 'Due deliveries are counted up to `maxPerQueue`',
    breakage: 'all due deliveries are counted',
    noticedBy: QUOTA_CALLS,
    open: () => alterClaimInput(() => ({ maxPerQueue: Infinity })),
  },
  {
    guarantee: 'Deliveries due later are not counted',
    breakage: 'all pending deliveries of a queue are counted',
    noticedBy: QUOTA_CALLS,
    open: () =>
      alterClaimInput(({ quota }) => ({
        now: pastInstant(9),
        quota: (queue) => Math.min(0, quota(queue)),
      })),
  },
  {
    guarantee: 'A queue has a host',
    breakage: 'the webhook of a queue is not looked up',
    noticedBy: HOST,
    open: () => alterClaimInput(({ quota }) => ({ quota: (queue) => quota({ ...queue, host: undefined }) })),
  },
  {
    guarantee: 'The host of a queue is current',
    breakage: 'the host found by the first claim is cached',
    noticedBy: HOST,
    open: cacheHosts,
  },
  {
    guarantee: 'A queue belongs to one workspace',
    breakage: 'webhooks with the same id share a queue',
    noticedBy: 'claim: treats webhooks with the same id in two workspaces as two queues',
    open: () => chooseClaimed((due, claim) => applyLimits(mergeByWebhook(due), claim)),
  },
  {
    guarantee: 'The longest due deliveries of a queue come first',
    breakage: 'the latest deliveries of a queue come first',
    noticedBy: 'claim: takes the longest due deliveries of a queue first',
    open: () =>
      chooseClaimed((due, claim) =>
        applyLimits(
          due.map(({ queue, deliveries }) => ({ queue, deliveries: deliveries.toReversed() })),
          claim,
        ),
      ),
  },
  {
    guarantee: 'A queue is limited to its quota',
    breakage: 'all counted deliveries are taken',
    noticedBy: QUOTA_LIMIT,
    open: () =>
      alterClaimInput(({ quota }) => ({ quota: (queue) => (quota(queue) > 0 ? queue.dueCount : 0) })),
  },
  {
    guarantee: 'A queue is limited to the count',
    breakage: 'an infinite quota takes all pending deliveries',
    noticedBy: QUOTA_LIMIT,
    open: () =>
      alterClaimInput(({ maxPerQueue, quota }) => ({
        maxPerQueue: Infinity,
        quota: (queue) => quota({ ...queue, dueCount: Math.min(queue.dueCount, maxPerQueue) }),
      })),
  },
  {
    guarantee: 'A negative quota is 0',
    breakage: 'a negative quota is infinite',
    noticedBy: QUOTA_LIMIT,
    open: () =>
      alterClaimInput(({ quota }) => ({
        quota: (queue) => {
          const count = quota(queue)
          return count < 0 ? Infinity : count
        },
      })),
  },
  {
    guarantee: 'A negative `maxPerQueue` is 0',
    breakage: 'a negative `maxPerQueue` is no limit',
    noticedBy: QUOTA_LIMIT,
    open: () =>
      alterClaimInput(({ maxPerQueue }) => ({ maxPerQueue: maxPerQueue < 0 ? Infinity : maxPerQueue })),
  },
  {
    guarantee: 'A queue with quota 0 is unchanged',
    breakage: 'each queue gives at least one delivery',
    noticedBy: QUOTA_ZERO,
    open: () => alterClaimInput(({ quota }) => ({ quota: (queue) => Math.max(1, quota(queue)) })),
  },
  {
    guarantee: 'A busy queue does not delay other queues',
    breakage: 'only the first due deliveries are examined',
    noticedBy: QUOTA_ZERO,
    open: () => chooseClaimed((due, claim) => applyLimits(takeFirst(due, 100), claim)),
  },
  {
    guarantee: 'A claim sees earlier writes of its transaction',
    breakage: 'a claim sees only committed data',
    noticedBy:
      'claim: sees earlier writes of its transaction, awaited or not, and later reads see its claims',
    open: () => deferredStorage({ ownWrites: 'invisible' }),
  },
  {
    guarantee: 'A claim is rolled back with its transaction',
    breakage: 'a claim commits by itself',
    noticedBy: 'claim: is rolled back with its transaction or its savepoint',
    open: commitEachCall,
  },
  {
    guarantee: 'No two claims take the same delivery',
    breakage: 'concurrent claims take the same delivery',
    noticedBy: 'claim: gives each delivery to only one of twenty concurrent claims, and all are taken',
    open: () => deferredStorage({ claim: 'unlocked' }),
  },
  {
    guarantee: 'Claims do not wait for each other',
    breakage: 'a claim waits until the other is committed',
    noticedBy: 'claim: does not wait for a concurrent claim',
    open: () => deferredStorage({ claim: 'serial' }),
  },
  {
    guarantee: 'A read rejects claims',
    breakage: 'read is an alias of transact',
    noticedBy: 'claim: rejects, like deleteFinished, within a read and after the work has ended',
    open: () => {
      const storage = memoryStorage()
      return { ...storage, read: (work) => storage.transact(work) }
    },
  },
  {
    guarantee: 'claim rejects after the work has ended',
    breakage: 'every call is a transaction of its own',
    noticedBy: 'claim: rejects, like deleteFinished, within a read and after the work has ended',
    open: commitEachCall,
  },
]
