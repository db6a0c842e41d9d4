import type { Ports } from '../../ports/index.ts'
import type { CountedMethod } from '../../schema/usage-log.ts'
import { announceUsage } from './announce-usage.ts'
import { saveUsage } from './save-usage.ts'
import { type Caller, usageCounter } from './usage-counter.ts'

/** Far more apps at work than one process serves between two saves. While the database is gone, hours add up. */
const MAX_PERIODS = 50_000

export interface UsageApi {
  /** Counts a call, in this process for now. */
  count(actor: Caller, method: CountedMethod): void
  /**
   * To be called every ten seconds and at the end: adds what was counted to the database. What cannot be added is kept for the next time,
   * up to 50 000 hours of apps; beyond them calls go uncounted.
   */
  save(): Promise<void>
  /** To be called every minute by a worker, until it gives 0: tells subscribers of hours that are over. Gives how many there were. */
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
