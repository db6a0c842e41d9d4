import type { RateLimitStatus } from '@sales-crm/core/ports'
import { array, assert, asyncProperty, boolean, integer } from 'fast-check'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { createAccessGate } from '../src/rate-limiter.ts'
import { freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')
const CLOSE = 'update rate_windows set closes_at = clock_timestamp() where key = $1'

describe.runIf(server !== null)('on a server', () => {
  test('processes that share windows count each call once, and a window that closes meanwhile opens once', async () => {
    const url = await freshDatabase(server!)
    const storage = await postgresStorage({ url })
    const gates = [storage.gate, createAccessGate({ url }), createAccessGate({ url })]
    const time = new pg.Client({ connectionString: url })
    await time.connect()
    let runs = 0
    await assert(
      // Of each call whether the window closes beside it, and which process makes it.
      asyncProperty(
        array(boolean(), { minLength: 1, maxLength: 40 }),
        integer({ min: 1, max: 10 }),
        async (closes, rarely) => {
          runs += 1
          const key = `app:${runs}`
          let closed = 0
          const calls: Promise<RateLimitStatus>[] = []
          const closings: Promise<unknown>[] = []
          for (const [nth, isClosing] of closes.entries()) {
            calls.push(gates[nth % gates.length]!.count({ key, limit: 1000, seconds: 3600 }))
            if (!isClosing || nth % rarely > 0) continue
            closed += 1
            closings.push(time.query(CLOSE, [key]))
          }
          const used = (await Promise.all(calls)).map((window) => window.used)
          await Promise.all(closings)
          const times = Array.from(
            { length: used.length },
            (_, nth) => used.filter((count) => count === nth + 1).length,
          )
          expect(
            used.every((count) => count >= 1),
            'each is counted',
          ).toBe(true)
          expect(times, 'no number is left out in any window').toEqual(times.toSorted((a, b) => b - a))
          expect(times[0], 'windows that were opened').toBeLessThanOrEqual(closed + 1)
        },
      ),
      { numRuns: 40 },
    )
    await Promise.all(gates.map((gate) => gate.close()))
    await time.end()
    await storage.close()
  })
})
