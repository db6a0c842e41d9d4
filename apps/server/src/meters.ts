import { type Counters, localWindows, type Meter, meterOf } from '@sales-crm/core'
import type { Clock, Counter, Gate, RateWindow } from '@sales-crm/core/ports'
import { inTime } from './in-time.ts'

/**
 * Calls a minute for each counted method, and from one address to each endpoint of OAuth; registrations and rotations of apps an
 * hour from one address. 0 switches a limit off.
 */
export type Limits = Readonly<Record<CountedMethod | EndpointLimit, number>>

export type EndpointLimit = 'OAUTH' | 'REGISTER'

type CountedMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Meters {
  /** The gate, with counts of this process alone for as long as its own fail or take too long. */
  readonly gate: Gate
  /** How a call is counted, whether its token turns out good or not. */
  countersFor(method: string, address: () => string): Counters
  /**
   * As `countersFor`, for calls of tools: they have windows of their own, as wide as those of POST, and each
   * workspace its own. A program's `client_id` is public, and all its users share it: those of one are not to use up the window of others.
   */
  countersForTools(address: () => string): Counters
  /** Counts a call that has no app. */
  ofAddress(method: string, address: string): Promise<Meter | undefined>
  /** Counts a call to an endpoint that has windows of its own. Those of `REGISTER` outlive the process: without a database it rejects. */
  ofEndpoint(limit: EndpointLimit, path: string, address: string): Promise<Meter | undefined>
  /** As `ofAddress`, without asking the gate, for calls that are answered whatever becomes of the database. */
  apart(method: string, address: string): Meter | undefined
}

export interface MeterOptions {
  readonly gate: Gate
  /** Counts in windows that outlive the process. */
  readonly countLasting: (counter: Counter) => Promise<RateWindow>
  readonly limits: Limits
  readonly now: Clock
}

/** A database that has stopped answering fails only after many seconds, and what is answered without it need not wait for that. */
const PATIENCE_MS = 2000
const MINUTE = 60
const SECONDS = { OAUTH: MINUTE, REGISTER: 60 * MINUTE }

export function createMeters({ gate, countLasting, limits, now }: MeterOptions): Meters {
  const windows = localWindows(now)
  const safeGate: Gate = {
    async admit(grant, counter) {
      const admitted = await gate.admit(grant, counter)
      return admitted && { ...admitted, window: admitted.window ?? (counter && windows(counter)) }
    },
    count: (counter) => inTime(gate.count(counter), PATIENCE_MS, 'The gate does not answer.').catch(() => windows(counter)),
  }

  function counter(who: string, method: string): Counter | undefined {
    const counted = countedAs(method)
    return windowOf(`${who}:${counted}`, limits[counted])
  }

  function windowOf(key: string, limit: number): Counter | undefined {
    return limit > 0 ? { key, limit, seconds: MINUTE } : undefined
  }

  return {
    gate: safeGate,
    countersFor(method, address) {
      return {
        ofApp: (clientId) => counter(`app:${clientId}`, method),
        get ofAddress() {
          return counter(`address:${address()}`, method)
        },
      }
    },
    countersForTools(address) {
      return {
        ofApp: (clientId, workspaceId) => windowOf(`app:${clientId}:${workspaceId}:MCP`, limits.POST),
        get ofAddress() {
          return windowOf(`address:${address()}:MCP`, limits.POST)
        },
      }
    },
    async ofAddress(method, address) {
      const its = counter(`address:${address}`, method)
      return its && meterOf(its, await safeGate.count(its))
    },
    async ofEndpoint(name, path, address) {
      const limit = limits[name]
      if (limit === 0) return undefined
      const its = { key: `oauth:${path}:${address}`, limit, seconds: SECONDS[name] }
      return meterOf(its, await (name === 'REGISTER' ? countLasting(its) : safeGate.count(its)))
    },
    apart(method, address) {
      const its = counter(`apart:${address}`, method)
      return its && meterOf(its, windows(its))
    },
  }
}

function countedAs(method: string): CountedMethod {
  if (method === 'GET' || method === 'HEAD') return 'GET'
  return method === 'POST' || method === 'DELETE' ? method : 'PATCH'
}
