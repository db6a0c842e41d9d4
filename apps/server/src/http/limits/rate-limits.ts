import { type CallLimits, localRateLimiter } from '@sales-crm/core'
import type { AccessGate, Clock, RateLimit, RateLimitStatus } from '@sales-crm/core/ports'
import { withTimeout } from '../../process/timeout.ts'

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

export class RateLimits {
  /** The access gate, with a fallback to counters in this process while the gate fails or times out. */
  readonly gate: AccessGate
  readonly #limits: RateLimitSettings
  readonly #countPersistent: RateLimitOptions['countPersistentRateLimit']
  readonly #countInProcess: LocalRateLimiter

  constructor({ gate, countPersistentRateLimit, limits, now }: RateLimitOptions) {
    this.#limits = limits
    this.#countPersistent = countPersistentRateLimit
    this.#countInProcess = localRateLimiter(now)
    this.gate = addFallback(gate, this.#countInProcess)
  }

  /** Returns the rate limits of a call with a valid token and of one without. */
  limitsFor(method: string, address: () => string): CallLimits {
    const limitOf = (subject: string) => this.#methodLimit(subject, method)
    return {
      forApp: (clientId) => limitOf(`app:${clientId}`),
      get forAddress() {
        return limitOf(`address:${address()}`)
      },
      isRead: limitedMethodOf(method) === 'GET',
    }
  }

  /**
   * Limits MCP calls in separate windows with the limit of POST, one per app and workspace. All users of a
   * public client share its `client_id`, so one workspace must not exhaust the window of another.
   */
  limitsForTools(address: () => string): CallLimits {
    const { POST } = this.#limits
    return {
      forApp: (clientId, workspaceId) => limitPerMinute(`app:${clientId}:${workspaceId}:MCP`, POST),
      get forAddress() {
        return limitPerMinute(`address:${address()}:MCP`, POST)
      },
    }
  }

  /** Counts a call without an app. */
  async countAddress(method: string, address: string): Promise<RateLimitStatus | undefined> {
    const rateLimit = this.#methodLimit(`address:${address}`, method)
    return rateLimit && this.gate.count(rateLimit)
  }

  /** Counts a call of a session, whatever addresses it comes from. */
  async countSession(sessionId: string): Promise<RateLimitStatus | undefined> {
    const rateLimit = this.#methodLimit(`session:${sessionId}`, 'POST')
    return rateLimit && this.gate.count(rateLimit)
  }

  /**
   * Counts a call to an endpoint with a limit of its own. `REGISTER` windows are stored in the database, so a
   * call rejects without one.
   */
  async countEndpoint(
    name: EndpointLimit,
    path: string,
    address: string,
  ): Promise<RateLimitStatus | undefined> {
    const limit = this.#limits[name]
    if (limit === 0) return undefined
    const rateLimit = { key: `oauth:${path}:${address}`, limit, seconds: WINDOW_SECONDS[name] }
    return name === 'REGISTER' ? this.#countPersistent(rateLimit) : this.gate.count(rateLimit)
  }

  /**
   * Counts like `countAddress`, but in this process only, for responses that must not depend on the database.
   */
  countLocally(method: string, address: string): RateLimitStatus | undefined {
    const rateLimit = this.#methodLimit(`apart:${address}`, method)
    return rateLimit && this.#countInProcess(rateLimit)
  }

  #methodLimit(subject: string, method: string): RateLimit | undefined {
    const limitedMethod = limitedMethodOf(method)
    return limitPerMinute(`${subject}:${limitedMethod}`, this.#limits[limitedMethod])
  }
}

type LocalRateLimiter = ReturnType<typeof localRateLimiter>

function addFallback(gate: AccessGate, countInProcess: LocalRateLimiter): AccessGate {
  return {
    async authorize(grant, counter, isRead) {
      const access = await gate.authorize(grant, counter, isRead)
      return access && { ...access, rateLimit: access.rateLimit ?? (counter && countInProcess(counter)) }
    },
    count: (counter) =>
      withTimeout(gate.count(counter), GATE_TIMEOUT_MS, gateTimeoutError).catch(() =>
        countInProcess(counter),
      ),
    ...(gate.noteWrite && { noteWrite: (caller) => gate.noteWrite!(caller) }),
  }
}

function limitPerMinute(key: string, limit: number): RateLimit | undefined {
  return limit > 0 ? { key, limit, seconds: MINUTE } : undefined
}

function gateTimeoutError(): Error {
  return new Error('The access gate did not answer in time.')
}

function limitedMethodOf(method: string): LimitedMethod {
  if (method === 'GET' || method === 'HEAD') return 'GET'
  return method === 'POST' || method === 'DELETE' ? method : 'PATCH'
}
