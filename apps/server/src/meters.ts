import { type Counters, localWindows, type Meter, meterOf } from '@sales-crm/core'
import type { Clock, Counter, Gate } from '@sales-crm/core/ports'

/** Calls a minute for each counted method; 0 switches a limit off. */
export type Limits = Readonly<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', number>>

export interface Meters {
  /** The gate, with counts of this process alone for as long as its own fail. */
  readonly gate: Gate
  /** How a call is counted, whether its token turns out good or not. */
  countersFor(method: string, address: () => string): Counters
  /** Counts a call that has no app. */
  ofAddress(method: string, address: string): Promise<Meter | undefined>
  /** As `ofAddress`, without asking the gate, for calls that are answered whatever becomes of the database. */
  apart(method: string, address: string): Meter | undefined
}

const WINDOW_SECONDS = 60

export function createMeters({ gate, limits, now }: { readonly gate: Gate; readonly limits: Limits; readonly now: Clock }): Meters {
  const windows = localWindows(now)
  const safeGate: Gate = {
    admit: (grant, counter) => gate.admit(grant, counter),
    count: (counter) => gate.count(counter).catch(() => windows(counter)),
  }

  function counter(who: string, method: string): Counter | undefined {
    const counted = countedAs(method)
    const limit = limits[counted]
    return limit > 0 ? { key: `${who}:${counted}`, limit, seconds: WINDOW_SECONDS } : undefined
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
    async ofAddress(method, address) {
      const its = counter(`address:${address}`, method)
      return its && meterOf(its, await safeGate.count(its))
    },
    apart(method, address) {
      const its = counter(`apart:${address}`, method)
      return its && meterOf(its, windows(its))
    },
  }
}

function countedAs(method: string): keyof Limits {
  if (method === 'GET' || method === 'HEAD') return 'GET'
  return method === 'POST' || method === 'DELETE' ? method : 'PATCH'
}
