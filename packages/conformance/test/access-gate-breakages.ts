import { localAccessGate } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import type { AccessGate, RateLimit, RateLimitStatus, Storage } from '@sales-crm/core/ports'
import type { OpenAccessGate } from '../src/access-gate-context.ts'
import type { Breakage } from './breakage.ts'

interface MemoryContext {
  readonly storage: Storage
  readonly now: () => string
}

type Authorization = ReturnType<AccessGate['authorize']>

export function openAccessGate(
  alter: (gate: AccessGate, context: MemoryContext) => Partial<AccessGate> = () => ({}),
): OpenAccessGate {
  const storage = memoryStorage()
  let at = Date.UTC(2026, 2, 1, 12)
  const now = () => new Date(at).toISOString()
  const gate = localAccessGate(storage, now)
  const advance = (seconds: number) => {
    at += seconds * 1000
  }
  return { storage, gate: { ...gate, ...alter(gate, { storage, now }) }, advance }
}

export const ACCESS_GATE_BREAKAGES: readonly Breakage<OpenAccessGate>[] = [
  {
    guarantee: 'Calls over the limit are counted',
    breakage: 'counting stops at the limit',
    noticedBy: 'count: counts every call, even over the limit',
    open: () => alterCount((status, { limit }) => ({ ...status, used: Math.min(status.used, limit) })),
  },
  {
    guarantee: 'Keys are counted separately',
    breakage: 'the method at the end of a key is ignored',
    noticedBy: 'count: counts each key separately',
    open: () =>
      openAccessGate(({ count }) => ({
        count: (rateLimit) => count({ ...rateLimit, key: rateLimit.key.slice(0, 40) }),
      })),
  },
  {
    guarantee: 'Counting is atomic',
    breakage: 'the count is read, then written',
    noticedBy: 'count: counts fifty concurrent calls from one to fifty, each once',
    open: loseCounts,
  },
  {
    guarantee: '`retryAfterSeconds` is at least 1',
    breakage: '`retryAfterSeconds` is 0 in the last second',
    noticedBy: 'count: opens a window at the first call, and the next one at the first call after it',
    open: () =>
      alterCount((status) => ({
        ...status,
        retryAfterSeconds: status.retryAfterSeconds === 1 ? 0 : status.retryAfterSeconds,
      })),
  },
  {
    guarantee: '`resetsAt` is in whole seconds',
    breakage: '`resetsAt` has fractions of a second',
    noticedBy: 'count: returns whole seconds, a retry time within the window and one reset per window',
    open: () => alterCount((status) => ({ ...status, resetsAt: status.resetsAt - 0.5 })),
  },
  {
    guarantee: 'A window opens at its first call',
    breakage: 'windows begin with the minute of the clock',
    noticedBy: 'count: opens a window at the first call, and the next one at the first call after it',
    open: () =>
      openAccessGate(({ count }, { now }) => ({
        async count(rateLimit) {
          const sinceMinute = (Date.parse(now()) / 1000) % rateLimit.seconds
          const status = await count(rateLimit)
          const { resetsAt, retryAfterSeconds } = status
          return {
            ...status,
            resetsAt: resetsAt - sinceMinute,
            retryAfterSeconds: Math.max(1, retryAfterSeconds - sinceMinute),
          }
        },
      })),
  },
  {
    guarantee: 'A rejected call is not counted',
    breakage: 'the call is counted before the grant is looked up',
    noticedBy: 'authorize: rejects a revoked grant from the next call on, and does not count the call',
    open: () =>
      openAccessGate((gate) => ({
        async authorize(grant, rateLimit) {
          const status = rateLimit && (await gate.count(rateLimit))
          const result = await gate.authorize(grant, undefined)
          return result && { ...result, rateLimit: status }
        },
      })),
  },
  {
    guarantee: 'A revoked grant ends at once',
    breakage: 'an accepted grant is cached',
    noticedBy: 'authorize: rejects a deleted grant from the next call on, and does not count the call',
    open: cacheGrants,
  },
  {
    guarantee: 'The role is current',
    breakage: 'the role is cached',
    noticedBy: 'authorize: returns the current role of the member',
    open: cacheGrants,
  },
  {
    guarantee: 'A removed member is rejected',
    breakage: 'only the grant is looked up',
    noticedBy:
      'authorize: rejects a grant of a removed member from the next call on, and does not count the call',
    open: () =>
      openAccessGate((gate, { storage }) => ({
        async authorize(grantKey, rateLimit) {
          const grant = await storage.read((tx) =>
            tx.workspace(grantKey.workspace_id).grants.get(grantKey.id),
          )
          if (!grant || grant.revoked_at !== null) return undefined
          const { user_id, client_id } = grant
          return {
            grant: { user_id, client_id, role: 'member' },
            rateLimit: rateLimit && (await gate.count(rateLimit)),
          }
        },
      })),
  },
  {
    guarantee: 'Only the grant and its member are checked',
    breakage: 'an expired refresh token ends the grant',
    noticedBy: 'authorize: accepts a grant with an unknown app and an expired refresh token',
    open: () =>
      openAccessGate((gate, { storage, now }) => ({
        async authorize(grantKey, rateLimit) {
          const grant = await storage.read((tx) =>
            tx.workspace(grantKey.workspace_id).grants.get(grantKey.id),
          )
          const isOver = grant && grant.refresh_expires_at !== null && grant.refresh_expires_at <= now()
          return isOver ? undefined : gate.authorize(grantKey, rateLimit)
        },
      })),
  },
  {
    guarantee: 'A grant belongs to one workspace',
    breakage: 'a grant is found by its id alone',
    noticedBy: 'authorize: rejects an unknown grant or one of another workspace, and does not count the call',
    open: cacheGrants,
  },
  {
    guarantee: 'authorize and count share windows',
    breakage: 'authorize and count have separate windows',
    noticedBy:
      'authorize: returns the user, app and role of a live grant, and counts the call in the window of count',
    open: () =>
      openAccessGate(({ authorize }) => ({
        authorize: (grant, rateLimit) =>
          authorize(grant, rateLimit && { ...rateLimit, key: `${rateLimit.key}!` }),
      })),
  },
  {
    guarantee: 'Without a rate limit there is no status',
    breakage: 'an empty status is returned without a rate limit',
    noticedBy: 'authorize: returns no rate limit status without a rate limit',
    open: () =>
      openAccessGate(({ authorize }) => ({
        async authorize(grant, rateLimit) {
          const result = await authorize(grant, rateLimit)
          return (
            result && {
              ...result,
              rateLimit: result.rateLimit ?? { limit: 0, used: 0, resetsAt: 0, retryAfterSeconds: 1 },
            }
          )
        },
      })),
  },
]

function alterCount(
  change: (status: RateLimitStatus, rateLimit: RateLimit) => RateLimitStatus,
): OpenAccessGate {
  return openAccessGate(({ count }) => ({
    count: async (rateLimit) => change(await count(rateLimit), rateLimit),
  }))
}

function loseCounts(): OpenAccessGate {
  const used = new Map<string, number>()
  return openAccessGate(({ count }) => ({
    async count(rateLimit) {
      const before = used.get(rateLimit.key) ?? 0
      const status = await count(rateLimit)
      used.set(rateLimit.key, before + 1)
      return { ...status, used: before + 1 }
    },
  }))
}

/** Caches grants by id alone, so a grant of one workspace is accepted in another. */
function cacheGrants(): OpenAccessGate {
  const cache = new Map<string, Awaited<Authorization>>()
  return openAccessGate(({ count, authorize }) => ({
    async authorize(grant, rateLimit) {
      const result = cache.get(grant.id) ?? (await authorize(grant, undefined))
      cache.set(grant.id, result)
      return result && { ...result, rateLimit: rateLimit && (await count(rateLimit)) }
    },
  }))
}
