import { type CallLimits, localRateLimiter } from '@sales-crm/core'
import type { AccessGate, Clock, RateLimit, RateLimitStatus } from '@sales-crm/core/ports'
import { withTimeout } from '../process/timeout.ts'

/**
 * Calls a minute for each counted method, and from one address to each endpoint of OAuth; registrations and
 * rotations of apps an hour from one address. 0 switches a limit off.
 */
export type RateLimitSettings = Readonly<Record<LimitedMethod | EndpointLimit, number>>

export type EndpointLimit = 'OAUTH' | 'REGISTER'

type LimitedMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface RateLimits {
  /** The gate, with counts of this process alone for as long as its own fail or take too long. */
  readonly gate: AccessGate
  /** How a call is counted, whether its token turns out good or not. */
  limitsFor(method: string, address: () => string): CallLimits
  /**
   * As `countersFor`, for calls of tools: they have windows of their own, as wide as those of POST, and each
   * workspace its own. A program's `client_id` is public, and all its users share it: those of one are not to
   * use up the window of others.
   */
  limitsForTools(address: () => string): CallLimits
  /** Counts a call that has no app. */
  countAddress(method: string, address: string): Promise<RateLimitStatus | undefined>
  /**
   * Counts a call to an endpoint that has windows of its own. Those of `REGISTER` outlive the process:
   * without a database it rejects.
   */
  countEndpoint(limit: EndpointLimit, path: string, address: string): Promise<RateLimitStatus | undefined>
  /**
   * As `ofAddress`, without asking the gate, for calls that are answered whatever becomes of the database.
   */
  countLocally(method: string, address: string): RateLimitStatus | undefined
}

export interface RateLimitOptions {
  readonly gate: AccessGate
  /** Counts in windows that outlive the process. */
  readonly countPersistentRateLimit: (counter: RateLimit) => Promise<RateLimitStatus>
  readonly limits: RateLimitSettings
  readonly now: Clock
}

/**
 * A database that has stopped answering fails only after many seconds, and what is answered without it need
 * not wait for that.
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
      withTimeout(gate.count(counter), GATE_TIMEOUT_MS, 'The gate does not answer.').catch(() =>
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

function limitedMethodOf(method: string): LimitedMethod {
  if (method === 'GET' || method === 'HEAD') return 'GET'
  return method === 'POST' || method === 'DELETE' ? method : 'PATCH'
}
