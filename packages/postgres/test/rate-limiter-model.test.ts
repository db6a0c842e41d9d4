import type { RateLimitStatus } from '@sales-crm/core/ports'
import { array, assert, asyncProperty, boolean, integer } from 'fast-check'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { postgresStorage } from '../src/index.ts'
import { PostgresAccessGate } from '../src/rate-limiter.ts'
import { freshDatabase } from './fresh-database.ts'

const server = inject('postgresUrl')
const CLOSE = 'update rate_windows set closes_at = clock_timestamp() where key = $1'

describe.runIf(server !== null)('shared rate limit windows', () => {
  test('concurrent processes count each call once, and a window that closes opens again once', async () => {
    const url = await freshDatabase(server!)
    const storage = await postgresStorage({ url })
    const others = [new PostgresAccessGate({ url }), new PostgresAccessGate({ url })]
    const gates = [storage.gate, ...others]
    const clockClient = new pg.Client({ connectionString: url })
    await clockClient.connect()
    let runs = 0
    await assert(
      // For each call: whether the window closes beside it. The calls rotate through the processes.
      asyncProperty(
        array(boolean(), { minLength: 1, maxLength: 40 }),
        integer({ min: 1, max: 10 }),
        async (closes, closeEvery) => {
          runs += 1
          const key = `app:${runs}`
          let closeCount = 0
          const calls: Promise<RateLimitStatus>[] = []
          const closings: Promise<unknown>[] = []
          for (const [nth, isClosing] of closes.entries()) {
            calls.push(gates[nth % gates.length]!.count({ key, limit: 1000, seconds: 3600 }))
            if (!isClosing || nth % closeEvery > 0) continue
            closeCount += 1
            closings.push(clockClient.query(CLOSE, [key]))
          }
          const used = (await Promise.all(calls)).map((window) => window.used)
          await Promise.all(closings)
          const countsByNumber = Array.from(
            { length: used.length },
            (_, nth) => used.filter((count) => count === nth + 1).length,
          )
          expect(
            used.every((count) => count >= 1),
            'each call is counted',
          ).toBe(true)
          expect(countsByNumber, 'no number is missing in any window').toEqual(
            countsByNumber.toSorted((a, b) => b - a),
          )
          expect(countsByNumber[0], 'opened windows').toBeLessThanOrEqual(closeCount + 1)
        },
      ),
      { numRuns: 40 },
    )
    await Promise.all(others.map((gate) => gate.close()))
    await clockClient.end()
    await storage.close()
  })

  test('last no longer than their length after the clock was set back', async () => {
    const url = await freshDatabase(server!)
    const storage = await postgresStorage({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const count = () => storage.gate.count({ key: 'app:1', limit: 1, seconds: 60 })
    await count()
    // As if the clock had been an hour ahead when the window was opened.
    await client.query("update rate_windows set closes_at = closes_at + interval '1 hour'")
    const status = await count()
    expect(status.used).toBe(2)
    expect(status.retryAfterSeconds).toBeLessThanOrEqual(60)
    const { rows } = await client.query(
      "select closes_at <= clock_timestamp() + interval '60 seconds' as ok from rate_windows",
    )
    expect(rows).toEqual([{ ok: true }])
    await client.end()
    await storage.close()
  })
})
