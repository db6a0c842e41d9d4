import { isConflict } from '../../kernel/errors.ts'
import { addSeconds, type Instant } from '../../kernel/instant.ts'
import { rateLimitExceeded } from '../../kernel/limit-errors.ts'
import {
  isOverLimit,
  type RateLimit,
  type RateLimitStatus,
  toRateLimitStatus,
} from '../../kernel/rate-limit.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { PersistentRateLimit } from '../../schema/persistent-rate-limit.ts'

type RequiredPorts = Pick<Ports, 'storage' | 'secrets' | 'now' | 'newId'>

/** Maximum attempts at a count that conflicts with other calls. */
const MAX_ATTEMPTS = 20

/** Counts a call in a window in the database, which outlives the process and is shared by all processes. */
export function countPersistentRateLimit(
  ports: RequiredPorts,
  rateLimit: RateLimit,
): Promise<RateLimitStatus> {
  return updateWindow(ports, rateLimit.key, async (window, at) => {
    const closesAt = addSeconds(at, rateLimit.seconds)
    // A window that closes later was opened by a clock ahead of this one, or before it was set back. Its calls
    // still count.
    const expires_at = window && window.expires_at < closesAt ? window.expires_at : closesAt
    const used = (window?.used ?? 0) + 1
    const remaining = Date.parse(expires_at) - Date.parse(at)
    return { used, expires_at, result: toRateLimitStatus(rateLimit, used, Date.parse(expires_at), remaining) }
  })
}

/** The new state of a window, and the result of the call that updates it. */
interface WindowUpdate<T> {
  readonly used: number
  readonly expires_at: Instant
  readonly result: T
}

/**
 * Updates the window of a key in a transaction, and retries if a concurrent call opens it first.
 * @param update gets the window if it is open; what it throws rolls back
 */
export async function updateWindow<T>(
  { storage, secrets, now, newId }: RequiredPorts,
  key: string,
  update: (window: PersistentRateLimit | undefined, at: Instant, tx: Transaction) => Promise<WindowUpdate<T>>,
): Promise<T> {
  const keyHash = secrets.hash(key)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storage.transact(async (tx) => {
        const { rate_limits } = tx
        const [existing] = await rate_limits.find([{ field: 'key', is: keyHash }])
        const window = existing && (await rate_limits.getForUpdate(existing.id))
        // Read after locking the window, so it is not before the instant that opened it.
        const at = now()
        const isOpen = window !== undefined && window.expires_at > at
        const { used, expires_at, result } = await update(isOpen ? window : undefined, at, tx)
        if (window) await rate_limits.update({ ...window, used, expires_at, updated_at: at })
        else
          await rate_limits.insert({
            ...{ id: newId(), key: keyHash, used, expires_at },
            created_at: at,
            updated_at: at,
          })
        return result
      })
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** True if the window of the key is open. */
export async function isWindowOpen({ storage, secrets, now }: RequiredPorts, key: string): Promise<boolean> {
  const [window] = await storage.read((tx) => tx.rate_limits.find([{ field: 'key', is: secrets.hash(key) }]))
  return window !== undefined && window.expires_at > now()
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
