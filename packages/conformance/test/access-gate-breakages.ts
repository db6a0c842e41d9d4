import { localAccessGate } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import type { AccessGate, RateLimit, RateLimitStatus, Storage } from '@sales-crm/core/ports'
import type { OpenAccessGate } from '../src/access-gate-context.ts'
import type { Breakage } from './breakage.ts'

interface MemoryGate {
  readonly storage: Storage
  readonly now: () => string
}

type Admission = ReturnType<AccessGate['authorize']>

export function openAccessGate(
  alter: (sound: AccessGate, made: MemoryGate) => Partial<AccessGate> = () => ({}),
): OpenAccessGate {
  const storage = memoryStorage()
  let at = Date.UTC(2026, 2, 1, 12)
  const now = () => new Date(at).toISOString()
  const sound = localAccessGate(storage, now)
  const advance = (seconds: number) => {
    at += seconds * 1000
  }
  return { storage, gate: { ...sound, ...alter(sound, { storage, now }) }, advance }
}

export const ACCESS_GATE_BREAKAGES: readonly Breakage<OpenAccessGate>[] = [
  {
    guarantee: 'Calls over the limit count',
    breakage: 'counting ends at the limit',
    noticedBy: 'count: every call counts one, those over the limit too',
    open: () => alterCount((window, { limit }) => ({ ...window, used: Math.min(window.used, limit) })),
  },
  {
    guarantee: 'Keys are counted apart',
    breakage: 'the method at the end of a key is left out',
    noticedBy: 'count: each key has its own count',
    open: () =>
      openAccessGate(({ count }) => ({
        count: (counter) => count({ ...counter, key: counter.key.slice(0, 40) }),
      })),
  },
  {
    guarantee: 'Counting is exact',
    breakage: 'the count is read, then written',
    noticedBy: 'count: fifty calls at once are counted one to fifty, each once',
    open: losesCounts,
  },
  {
    guarantee: 'wait is at least 1',
    breakage: 'it is 0 in the last second',
    noticedBy:
      'count: the window opens with its first call, lasts its seconds, and a new one opens with the next call',
    open: () =>
      alterCount((window) => ({
        ...window,
        retryAfterSeconds: window.retryAfterSeconds === 1 ? 0 : window.retryAfterSeconds,
      })),
  },
  {
    guarantee: 'resets is in seconds',
    breakage: 'it has fractions of a second',
    noticedBy:
      'count: resets and wait are whole seconds, wait is at least 1 and at most the window, and resets is the same in all of it',
    open: () => alterCount((window) => ({ ...window, resetsAt: window.resetsAt - 0.5 })),
  },
  {
    guarantee: 'A window opens with its first call',
    breakage: 'windows begin with the minute of the clock',
    noticedBy:
      'count: the window opens with its first call, lasts its seconds, and a new one opens with the next call',
    open: () =>
      openAccessGate(({ count }, { now }) => ({
        async count(counter) {
          const sinceMinute = (Date.parse(now()) / 1000) % counter.seconds
          const status = await count(counter)
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
    guarantee: 'Who is refused is not counted',
    breakage: 'the call is counted before the grant is looked up',
    noticedBy: 'admit: a grant that was revoked is not admitted and not counted, from the next call on',
    open: () =>
      openAccessGate((sound) => ({
        async authorize(grant, counter) {
          const rateLimit = counter && (await sound.count(counter))
          const admitted = await sound.authorize(grant, undefined)
          return admitted && { ...admitted, rateLimit }
        },
      })),
  },
  {
    guarantee: 'A revoked grant ends at once',
    breakage: 'an admitted grant is remembered',
    noticedBy: 'admit: a deleted grant is not admitted and not counted, from the next call on',
    open: remembersGrants,
  },
  {
    guarantee: 'The role is the present one',
    breakage: 'the role is remembered',
    noticedBy: 'admit: the role is the one the member has now',
    open: remembersGrants,
  },
  {
    guarantee: 'A removed member is not admitted',
    breakage: 'only the grant is looked up',
    noticedBy:
      'admit: a grant whose member was removed is not admitted and not counted, from the next call on',
    open: () =>
      openAccessGate((sound, { storage }) => ({
        async authorize(whom, counter) {
          const grant = await storage.read((tx) => tx.workspace(whom.workspace_id).grants.get(whom.id))
          if (!grant || grant.revoked_at !== null) return undefined
          const { user_id, client_id } = grant
          return {
            grant: { user_id, client_id, role: 'member' },
            rateLimit: counter && (await sound.count(counter)),
          }
        },
      })),
  },
  {
    guarantee: 'Only the grant and its member are judged',
    breakage: 'an expired refresh token ends the grant',
    noticedBy: 'admit: a grant is admitted whether or not its app is known and its refresh token lives',
    open: () =>
      openAccessGate((sound, { storage, now }) => ({
        async authorize(whom, counter) {
          const grant = await storage.read((tx) => tx.workspace(whom.workspace_id).grants.get(whom.id))
          const isOver = grant && grant.refresh_expires_at !== null && grant.refresh_expires_at <= now()
          return isOver ? undefined : sound.authorize(whom, counter)
        },
      })),
  },
  {
    guarantee: 'A grant is of one workspace',
    breakage: 'a grant is found by its id alone',
    noticedBy: 'admit: an unknown grant, or one of another workspace, is not admitted and not counted',
    open: remembersGrants,
  },
  {
    guarantee: 'admit and count share the windows',
    breakage: 'each has its own',
    noticedBy:
      'admit: a live grant lets in its user, through its app, and counts the call in the window count knows',
    open: () =>
      openAccessGate(({ authorize: admit }) => ({
        authorize: (grant, counter) => admit(grant, counter && { ...counter, key: `${counter.key}!` }),
      })),
  },
  {
    guarantee: 'Without a counter there is no window',
    breakage: 'there is an empty one',
    noticedBy: 'admit: without a counter there is no window',
    open: () =>
      openAccessGate(({ authorize: admit }) => ({
        async authorize(grant, counter) {
          const admitted = await admit(grant, counter)
          return (
            admitted && {
              ...admitted,
              rateLimit: admitted.rateLimit ?? { limit: 0, used: 0, resetsAt: 0, retryAfterSeconds: 1 },
            }
          )
        },
      })),
  },
]

function alterCount(
  change: (window: RateLimitStatus, counter: RateLimit) => RateLimitStatus,
): OpenAccessGate {
  return openAccessGate(({ count }) => ({ count: async (counter) => change(await count(counter), counter) }))
}

function losesCounts(): OpenAccessGate {
  const used = new Map<string, number>()
  return openAccessGate(({ count }) => ({
    async count(counter) {
      const before = used.get(counter.key) ?? 0
      const window = await count(counter)
      used.set(counter.key, before + 1)
      return { ...window, used: before + 1 }
    },
  }))
}

/** By its id alone: an id known from one workspace opens another. */
function remembersGrants(): OpenAccessGate {
  const known = new Map<string, Awaited<Admission>>()
  return openAccessGate(({ count, authorize: admit }) => ({
    async authorize(grant, counter) {
      const admitted = known.get(grant.id) ?? (await admit(grant, undefined))
      known.set(grant.id, admitted)
      return admitted && { ...admitted, window: counter && (await count(counter)) }
    },
  }))
}
