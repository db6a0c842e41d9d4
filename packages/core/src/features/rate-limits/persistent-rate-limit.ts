import { isConflict, rateLimitExceeded } from '../../kernel/errors.ts'
import { addSeconds, type Instant } from '../../kernel/instant.ts'
import {
  isOverLimit,
  type RateLimit,
  type RateLimitStatus,
  toRateLimitStatus,
} from '../../kernel/rate-limit.ts'
import type { Ports } from '../../ports/index.ts'

type RequiredPorts = Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>

/** Maximum attempts at a count that conflicts with other calls. */
const MAX_ATTEMPTS = 20

/** Counts a call in a window in the database, which outlives the process and is shared by all processes. */
export async function countPersistentRateLimit(
  ports: RequiredPorts,
  rateLimit: RateLimit,
): Promise<RateLimitStatus> {
  const { storage, secrets, now, newId } = ports
  const { key, seconds } = rateLimit
  const keyHash = secrets.hash(key)
  const statusOf = (used: number, closesAt: Instant, at: Instant) =>
    toRateLimitStatus(rateLimit, used, Date.parse(closesAt), Date.parse(closesAt) - Date.parse(at))
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storage.transact(async ({ rate_limits }) => {
        const [existing] = await rate_limits.find([{ field: 'key', is: keyHash }])
        const window = existing && (await rate_limits.getForUpdate(existing.id))
        // Read after locking the window, so it is not before the instant that opened it.
        const at = now()
        const closesAt = addSeconds(at, seconds)
        if (!window) {
          await rate_limits.insert({
            id: newId(),
            key: keyHash,
            used: 1,
            expires_at: closesAt,
            created_at: at,
            updated_at: at,
          })
          return statusOf(1, closesAt, at)
        }
        const isOpen = window.expires_at > at
        const used = isOpen ? window.used + 1 : 1
        // A window that closes later was opened by a clock ahead of this one, or before it was set back. Its
        // calls still count.
        const expires_at = isOpen && window.expires_at < closesAt ? window.expires_at : closesAt
        await rate_limits.update({ ...window, used, expires_at, updated_at: at })
        return statusOf(used, expires_at, at)
      })
    } catch (error) {
      // A concurrent call opened the window first.
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/**
 * Counts a call like `countPersistentRateLimit` and rejects it beyond the limit.
 * @throws CrmError `rate_limit_exceeded`
 */
export async function enforcePersistentRateLimit(ports: RequiredPorts, rateLimit: RateLimit): Promise<void> {
  const status = await countPersistentRateLimit(ports, rateLimit)
  if (isOverLimit(status)) throw rateLimitExceeded(status)
}

/** Uncounts a call. */
export async function uncountPersistentRateLimit(
  { storage, secrets }: RequiredPorts,
  { key }: Pick<RateLimit, 'key'>,
): Promise<void> {
  await storage.transact(async ({ rate_limits }) => {
    const [existing] = await rate_limits.find([{ field: 'key', is: secrets.hash(key) }])
    const window = existing && (await rate_limits.getForUpdate(existing.id))
    if (window && window.used > 0) await rate_limits.update({ ...window, used: window.used - 1 })
  })
}

/** Deletes the window of a key. */
export async function resetPersistentRateLimit(
  { storage, secrets }: RequiredPorts,
  { key }: Pick<RateLimit, 'key'>,
): Promise<void> {
  await storage.transact(async ({ rate_limits }) => {
    for (const { id } of await rate_limits.find([{ field: 'key', is: secrets.hash(key) }]))
      await rate_limits.hardDelete(id)
  })
}
