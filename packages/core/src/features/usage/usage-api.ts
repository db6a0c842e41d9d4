import type { Ports } from '../../ports/index.ts'
import type { CountedMethod } from '../../schema/usage-log.ts'
import { announceUsage } from './announce-usage.ts'
import { saveUsage } from './save-usage.ts'
import { type Caller, usageCounter } from './usage-counter.ts'

/** Far more than the active apps between two saves. While the database is unavailable, hours accumulate. */
const MAX_PERIODS = 50_000

/** Counts the calls of each app per hour, as `crm.usage`, for the event `usage_logs.created`. */
export interface UsageApi {
  /** Counts a call in memory. */
  count(actor: Caller, method: CountedMethod): void
  /**
   * Adds the counted calls to the database; called every ten seconds and at shutdown. Counts that cannot be
   * saved are kept, up to 50 000 app-hours; beyond that, calls are not counted.
   */
  save(): Promise<void>
  /**
   * Emits the usage events of completed hours and returns their number. A worker calls it every minute until
   * it returns 0.
   */
  announce(): Promise<number>
}

export function usageApi(ports: Ports): UsageApi {
  const counter = usageCounter(MAX_PERIODS)
  return {
    count: (actor, method) => counter.count(actor, ports.now(), method),
    save: () => saveUsage(ports, counter),
    announce: () => announceUsage(ports),
  }
}
