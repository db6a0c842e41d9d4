import { type RateLimit, type RateLimitStatus, toRateLimitStatus } from '../../kernel/rate-limit.ts'
import type { AccessGate } from '../../ports/access-gate.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'

/** Maximum number of open windows of one length; beyond it the oldest is dropped. */
const MAX_WINDOWS = 100_000

interface OpenWindow {
  used: number
  readonly closesAt: number
}

/** Keeps rate limit windows in memory, which is correct for a single serving process. */
export function localAccessGate(storage: Pick<Storage, 'read'>, now: Clock): AccessGate {
  const count = localRateLimiter(now)
  return {
    async count(rateLimit) {
      return count(rateLimit)
    },
    async authorize({ workspace_id, id }, rateLimit) {
      const grant = await storage.read(async (tx) => {
        const { grants, members } = tx.workspace(workspace_id)
        const grant = await grants.get(id)
        if (!grant || grant.revoked_at !== null) return undefined
        const member = await members.get(grant.user_id)
        if (!member || member.removed_at !== null) return undefined
        return { user_id: grant.user_id, client_id: grant.client_id, role: member.role }
      })
      return grant && { grant, rateLimit: rateLimit && count(rateLimit) }
    },
  }
}

/** Returns a function that counts a call, with its windows in memory: for a single serving process. */
export function localRateLimiter(now: Clock): (rateLimit: RateLimit) => RateLimitStatus {
  // By length, in the order of opening, so the first ones close first.
  const windowsByLength = new Map<number, Map<string, OpenWindow>>()

  function getWindows(seconds: number): Map<string, OpenWindow> {
    const windows = windowsByLength.get(seconds) ?? new Map<string, OpenWindow>()
    windowsByLength.set(seconds, windows)
    return windows
  }

  function deleteClosed(windows: Map<string, OpenWindow>, at: number): void {
    for (const [key, { closesAt }] of windows) {
      if (closesAt > at && windows.size <= MAX_WINDOWS) return
      windows.delete(key)
    }
  }

  return (rateLimit) => {
    const { key, seconds } = rateLimit
    const at = Date.parse(now())
    const windows = getWindows(seconds)
    let window = windows.get(key)
    // A window in the future was opened before the clock was set back.
    if (!window || window.closesAt <= at || window.closesAt > at + seconds * 1000) {
      window = { used: 0, closesAt: at + seconds * 1000 }
      windows.delete(key)
      windows.set(key, window)
      deleteClosed(windows, at)
    }
    window.used += 1
    return toRateLimitStatus(rateLimit, window.used, window.closesAt, window.closesAt - at)
  }
}
