import { randomInt } from 'node:crypto'
import { serveJobs } from '../jobs.ts'
import { type Access, createCaller, type KnownRecords } from './caller.ts'
import { CALLS } from './calls.ts'

/** Sends mixed calls without a pause, as a process of its own. */
export interface SoakJob {
  readonly port: number
  readonly seconds: number
  /** Credentials of each caller. */
  readonly access: readonly Access[]
  readonly records: KnownRecords
}

/** Number of calls by name. */
export type CallCounts = Readonly<Record<string, number>>

/** Each call, repeated according to its weight. */
const WEIGHTED_CALLS = CALLS.flatMap((call) => Array.from({ length: call.weight }, () => call))

serveJobs(async ({ port, seconds, access, records }: SoakJob): Promise<CallCounts> => {
  const end = performance.now() + seconds * 1000
  const counts: Record<string, number> = {}
  await Promise.all(
    access.map(async (credentials) => {
      const caller = createCaller(`http://127.0.0.1:${port}`, credentials, records)
      while (performance.now() < end) {
        const { name, run } = WEIGHTED_CALLS[randomInt(WEIGHTED_CALLS.length)]!
        await run(caller)
        counts[name] = (counts[name] ?? 0) + 1
      }
    }),
  )
  return counts
})
