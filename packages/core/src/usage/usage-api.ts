import type { Actor } from '../actor.ts'
import type { Ports } from '../ports.ts'
import type { CountedMethod } from './usage-log.ts'

export interface UsageApi {
  /** Counts a call, in this process for now. */
  count(actor: Pick<Actor, 'workspaceId' | 'clientId'>, method: CountedMethod): void
  /** To be called every ten seconds and at the end: adds what was counted to the database. What cannot be added is kept for the next time. */
  save(): Promise<void>
  /** To be called every minute by a worker, until it gives 0: tells subscribers of hours that are over. Gives how many there were. */
  announce(): Promise<number>
}

export function usageApi(_ports: Ports): UsageApi {
  return {
    count() {},
    async save() {},
    async announce() {
      return 0
    },
  }
}
