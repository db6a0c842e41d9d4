import type { Actor } from '../../kernel/actor.ts'
import { addSeconds, HOUR, type Instant } from '../../kernel/instant.ts'
import type { CountedMethod, UsageLog } from '../../schema/usage-log.ts'

export type Caller = Pick<Actor, 'workspaceId' | 'clientId'>
type Requests = UsageLog['requests']

/** Unsaved calls of one app in one workspace within an hour. */
export interface UsageCount
  extends Pick<
    UsageLog,
    'period' | 'workspace_id' | 'client_id' | 'period_start' | 'period_end' | 'requests'
  > {}

const NONE: Requests = { GET: 0, POST: 0, PATCH: 0, DELETE: 0 }

/** Calls counted in this process. Beyond `maxPeriods` periods, calls of further periods are not counted. */
export interface UsageCounter {
  count(caller: Caller, at: Instant, method: CountedMethod): void
  /** Counts several calls at `at`. */
  add(caller: Caller, at: Instant, requests: Requests): void
  /** Returns all counts, ordered by period, and resets the counter. */
  drain(): readonly UsageCount[]
}

export function usageCounter(maxPeriods: number): UsageCounter {
  let counts = new Map<string, UsageCount & { requests: Record<CountedMethod, number> }>()

  function requestsFor(
    { workspaceId, clientId }: Caller,
    at: Instant,
  ): Record<CountedMethod, number> | undefined {
    const hour = at.slice(0, 13)
    const period = `${workspaceId} ${clientId} ${hour}`
    const existing = counts.get(period)
    if (existing) return existing.requests
    if (counts.size >= maxPeriods) return undefined
    const period_start = `${hour}:00:00.000Z`
    const requests = { ...NONE }
    const period_end = addSeconds(period_start, HOUR)
    counts.set(period, {
      period,
      workspace_id: workspaceId,
      client_id: clientId,
      period_start,
      period_end,
      requests,
    })
    return requests
  }

  return {
    count(caller, at, method) {
      const requests = requestsFor(caller, at)
      if (requests) requests[method] += 1
    },
    add(caller, at, more) {
      const requests = requestsFor(caller, at)
      if (requests) Object.assign(requests, sumRequests(requests, more))
    },
    drain() {
      const drained = [...counts.values()].sort((a, b) => (a.period < b.period ? -1 : 1))
      counts = new Map()
      return drained
    },
  }
}

export function sumRequests(a: Requests, b: Requests): Requests {
  return {
    GET: a.GET + b.GET,
    POST: a.POST + b.POST,
    PATCH: a.PATCH + b.PATCH,
    DELETE: a.DELETE + b.DELETE,
  }
}
