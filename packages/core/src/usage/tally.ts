import type { Actor } from '../actor.ts'
import { HOUR, later } from '../instants.ts'
import type { Instant } from '../ports.ts'
import type { CountedMethod, UsageLog } from './usage-log.ts'

export type Caller = Pick<Actor, 'workspaceId' | 'clientId'>
type Requests = UsageLog['requests']

/** Calls of one app in one workspace within an hour that are in no database yet. */
export interface Tally extends Pick<UsageLog, 'period' | 'workspace_id' | 'client_id' | 'period_start' | 'period_end' | 'requests'> {}

const NONE: Requests = { GET: 0, POST: 0, PATCH: 0, DELETE: 0 }

/** What was counted in this process. Beyond `most` periods at once, calls of further ones go uncounted, and nobody is told. */
export interface Tallies {
  count(caller: Caller, at: Instant, method: CountedMethod): void
  /** As so many calls at `at`. */
  add(caller: Caller, at: Instant, requests: Requests): void
  /** Gives all there are, in order of their periods, and begins anew. */
  take(): readonly Tally[]
}

export function tallies(most: number): Tallies {
  let counted = new Map<string, Tally & { requests: Record<CountedMethod, number> }>()

  function of({ workspaceId, clientId }: Caller, at: Instant): Record<CountedMethod, number> | undefined {
    const hour = at.slice(0, 13)
    const period = `${workspaceId} ${clientId} ${hour}`
    const found = counted.get(period)
    if (found) return found.requests
    if (counted.size >= most) return undefined
    const period_start = `${hour}:00:00.000Z`
    const requests = { ...NONE }
    const period_end = later(period_start, HOUR)
    counted.set(period, { period, workspace_id: workspaceId, client_id: clientId, period_start, period_end, requests })
    return requests
  }

  return {
    count(caller, at, method) {
      const requests = of(caller, at)
      if (requests) requests[method] += 1
    },
    add(caller, at, more) {
      const requests = of(caller, at)
      if (requests) Object.assign(requests, sum(requests, more))
    },
    take() {
      const all = [...counted.values()].sort((a, b) => (a.period < b.period ? -1 : 1))
      counted = new Map()
      return all
    },
  }
}

export function sum(one: Requests, other: Requests): Requests {
  return {
    GET: one.GET + other.GET,
    POST: one.POST + other.POST,
    PATCH: one.PATCH + other.PATCH,
    DELETE: one.DELETE + other.DELETE,
  }
}
