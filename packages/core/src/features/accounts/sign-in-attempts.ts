import { addSeconds, DAY, type Instant, MINUTE } from '../../kernel/instant.ts'
import { rateLimitExceeded } from '../../kernel/limit-errors.ts'
import { toRateLimitStatus } from '../../kernel/rate-limit.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { enqueueMail } from '../mail/mail-queue.ts'
import type { RequestOrigin } from '../mail/outgoing-mail.ts'
import {
  countPersistentRateLimit,
  isWindowOpen,
  uncountPersistentRateLimit,
  updateWindow,
} from '../rate-limits/persistent-rate-limit.ts'

/** Failed attempts in a day that cause no delay. */
const FREE_ATTEMPTS = 10
const MAX_DELAY_SECONDS = 15 * MINUTE
const KNOWN_ADDRESS_SECONDS = 30 * DAY

interface SignInAttempt {
  /** Uncounts the attempt, and exempts the network address from delays for thirty days. */
  succeed(): Promise<void>
}

/**
 * Counts an attempt to sign in to an account, from whatever network address, also for an unknown account. From
 * the tenth failure in a day on, each attempt has to wait longer after the one before, and the user gets a mail.
 * An address from which the user has signed in does not wait: an attacker can lock nobody out.
 * @throws CrmError `rate_limit_exceeded`; the attempt does not count
 */
export async function countSignInAttempt(
  ports: Ports,
  email: string,
  origin: RequestOrigin,
): Promise<SignInAttempt> {
  const knownAddress = {
    key: `signed-in:${email}:${origin.address}`,
    limit: 1,
    seconds: KNOWN_ADDRESS_SECONDS,
  }
  if (await isWindowOpen(ports, knownAddress.key)) return { succeed: async () => {} }
  const key = `sign-in-attempts:${email}`
  await countAttempt(ports, key, email, origin)
  return {
    async succeed() {
      await uncountPersistentRateLimit(ports, { key })
      await countPersistentRateLimit(ports, knownAddress)
    },
  }
}

/** Seconds to wait after the last of `attempts`. */
export function signInDelay(attempts: number): number {
  return attempts < FREE_ATTEMPTS ? 0 : Math.min(2 ** (attempts - FREE_ATTEMPTS), MAX_DELAY_SECONDS)
}

async function countAttempt(ports: Ports, key: string, email: string, origin: RequestOrigin): Promise<void> {
  await updateWindow(ports, key, async (window, at, tx) => {
    const attempts = window?.used ?? 0
    const waitMs = window ? remainingWait(signInDelay(attempts), window.updated_at, at) : 0
    if (waitMs > 0) {
      const rateLimit = { key, limit: FREE_ATTEMPTS, seconds: DAY }
      throw rateLimitExceeded(toRateLimitStatus(rateLimit, attempts + 1, Date.parse(at) + waitMs, waitMs))
    }
    if (attempts + 1 === FREE_ATTEMPTS) await mailSignInAttempts(tx, ports, email, origin, at)
    return { used: attempts + 1, expires_at: addSeconds(at, DAY), result: undefined }
  })
}

/** Never longer than the delay itself, also after the clock was set back. */
function remainingWait(delaySeconds: number, lastAt: Instant, at: Instant): number {
  const delayMs = delaySeconds * 1000
  return Math.min(delayMs, Date.parse(lastAt) + delayMs - Date.parse(at))
}

async function mailSignInAttempts(
  tx: Transaction,
  ports: Ports,
  email: string,
  { language, address }: RequestOrigin,
  at: Instant,
): Promise<void> {
  const [user] = await tx.users.find([{ field: 'email', is: email }])
  const mail = user && ({ kind: 'sign_in_attempts', to: email, language, name: user.name, address } as const)
  await enqueueMail(tx, ports, mail, { at, expires_at: addSeconds(at, DAY) })
}
