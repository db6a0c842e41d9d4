import { type CallLimits, localRateLimiter } from '@sales-crm/core'
import type { AccessGate, Clock, RateLimit, RateLimitStatus } from '@sales-crm/core/ports'
import { withTimeout } from '../process/timeout.ts'

/**
 * Calls per minute per counted method, and per address for each OAuth endpoint; `REGISTER`: registrations and
 * secret rotations per hour and address. 0 disables a limit.
 */
export type RateLimitSettings = Readonly<Record<LimitedMethod | EndpointLimit, number>>

export const DEFAULT_RATE_LIMITS: RateLimitSettings = {
  GET: 1000,
  POST: 200,
  PATCH: 200,
  DELETE: 100,
  OAUTH: 20,
  REGISTER: 10,
}

export type EndpointLimit = 'OAUTH' | 'REGISTER'

type LimitedMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface RateLimits {
  /** The access gate, with a fallback to counters in this process while the gate fails or times out. */
  readonly gate: AccessGate
  /** The rate limits of a call with a valid token and of one without. */
  limitsFor(method: string, address: () => string): CallLimits
  /**
   * Limits MCP calls in separate windows with the limit of POST, one per app and workspace. All users of a
   * public client share its `client_id`, so one workspace must not exhaust the window of another.
   */
  limitsForTools(address: () => string): CallLimits
  /** Counts a call without an app. */
  countAddress(method: string, address: string): Promise<RateLimitStatus | undefined>
  /**
   * Counts a call to an endpoint with a limit of its own. `REGISTER` windows are stored in the database, so a
   * call rejects without one.
   */
  countEndpoint(limit: EndpointLimit, path: string, address: string): Promise<RateLimitStatus | undefined>
  /**
   * Counts like `countAddress`, but in this process only, for responses that must not depend on the database.
   */
  countLocally(method: string, address: string): RateLimitStatus | undefined
}

export interface RateLimitOptions {
  readonly gate: AccessGate
  /** Counts in a window stored in the database. */
  readonly countPersistentRateLimit: (counter: RateLimit) => Promise<RateLimitStatus>
  readonly limits: RateLimitSettings
  readonly now: Clock
}

/**
 * A database that does not answer fails only after many seconds; responses that need no database must not
 * wait that long.
 */
const GATE_TIMEOUT_MS = 2000
const MINUTE = 60
const WINDOW_SECONDS = { OAUTH: MINUTE, REGISTER: 60 * MINUTE }

export function createRateLimits({
  gate,
  countPersistentRateLimit,
  limits,
  now,
}: RateLimitOptions): RateLimits {
  const countInProcess = localRateLimiter(now)
  const gateWithFallback: AccessGate = {
    async authorize(grant, counter) {
      const access = await gate.authorize(grant, counter)
      return access && { ...access, rateLimit: access.rateLimit ?? (counter && countInProcess(counter)) }
    },
    count: (counter) =>
      withTimeout(gate.count(counter), GATE_TIMEOUT_MS, gateTimeoutError).catch(() =>
        countInProcess(counter),
      ),
  }

  function methodLimit(subject: string, method: string): RateLimit | undefined {
    const limitedMethod = limitedMethodOf(method)
    return perMinute(`${subject}:${limitedMethod}`, limits[limitedMethod])
  }

  function perMinute(key: string, limit: number): RateLimit | undefined {
    return limit > 0 ? { key, limit, seconds: MINUTE } : undefined
  }

  return {
    gate: gateWithFallback,
    limitsFor(method, address) {
      return {
        forApp: (clientId) => methodLimit(`app:${clientId}`, method),
        get forAddress() {
          return methodLimit(`address:${address()}`, method)
        },
      }
    },
    limitsForTools(address) {
      return {
        forApp: (clientId, workspaceId) => perMinute(`app:${clientId}:${workspaceId}:MCP`, limits.POST),
        get forAddress() {
          return perMinute(`address:${address()}:MCP`, limits.POST)
        },
      }
    },
    async countAddress(method, address) {
      const rateLimit = methodLimit(`address:${address}`, method)
      return rateLimit && gateWithFallback.count(rateLimit)
    },
    async countEndpoint(name, path, address) {
      const limit = limits[name]
      if (limit === 0) return undefined
      const rateLimit = { key: `oauth:${path}:${address}`, limit, seconds: WINDOW_SECONDS[name] }
      return name === 'REGISTER' ? countPersistentRateLimit(rateLimit) : gateWithFallback.count(rateLimit)
    },
    countLocally(method, address) {
      const rateLimit = methodLimit(`apart:${address}`, method)
      return rateLimit && countInProcess(rateLimit)
    },
  }
}

function gateTimeoutError(): Error {
  return new Error('The access gate did not answer in time.')
}

function limitedMethodOf(method: string): LimitedMethod {
  if (method === 'GET' || method === 'HEAD') return 'GET'
  return method === 'POST' || method === 'DELETE' ? method : 'PATCH'
}
