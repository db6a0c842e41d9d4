import type { RateLimit, RateLimitStatus } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { AccessGateContext } from './access-gate-context.ts'
import { type Group, newId } from './case.ts'

export const rateLimits: Group<AccessGateContext> = {
  name: 'count',
  cases: [
    {
      name: 'counts every call, even over the limit',
      async run({ gate }) {
        const rateLimit = buildRateLimit({ limit: 2 })
        const used = [
          await gate.count(rateLimit),
          await gate.count(rateLimit),
          await gate.count(rateLimit),
        ].map((status) => status.used)
        expect(used).toEqual([1, 2, 3])
      },
    },
    {
      name: 'counts each key separately',
      async run({ gate }) {
        const [one, two] = [buildRateLimit(), buildRateLimit()]
        const other = { ...one, key: `${one.key}:GET` }
        for (const rateLimit of [one, one, two, other]) await gate.count(rateLimit)
        expect([
          (await gate.count(one)).used,
          (await gate.count(two)).used,
          (await gate.count(other)).used,
        ]).toEqual([3, 2, 2])
      },
    },
    {
      name: 'counts fifty concurrent calls from one to fifty, each once',
      async run({ gate }) {
        const rateLimit = buildRateLimit()
        const statuses = await Promise.all(Array.from({ length: 50 }, () => gate.count(rateLimit)))
        expect(statuses.map(({ used }) => used).sort((a, b) => a - b)).toEqual(
          Array.from({ length: 50 }, (_, nth) => nth + 1),
        )
      },
    },
    {
      name: 'returns whole seconds, a retry time within the window and one reset per window',
      async run({ gate }) {
        const rateLimit = buildRateLimit()
        const [first, second] = [await gate.count(rateLimit), await gate.count(rateLimit)]
        for (const { resetsAt, retryAfterSeconds } of [first, second]) {
          expect(Number.isInteger(resetsAt), `resetsAt ${resetsAt}`).toBe(true)
          expect(Number.isInteger(retryAfterSeconds), `retryAfterSeconds ${retryAfterSeconds}`).toBe(true)
          expect(retryAfterSeconds, `retryAfterSeconds ${retryAfterSeconds}`).toBeGreaterThanOrEqual(1)
          expect(retryAfterSeconds, `retryAfterSeconds ${retryAfterSeconds}`).toBeLessThanOrEqual(
            rateLimit.seconds,
          )
        }
        expect(second.resetsAt, 'resetsAt of the second call').toBe(first.resetsAt)
        expect(second.retryAfterSeconds, 'retryAfterSeconds of the second call').toBeLessThanOrEqual(
          first.retryAfterSeconds,
        )
        expect(first.retryAfterSeconds, 'the window has just opened').toBeGreaterThan(rateLimit.seconds - 30)
      },
    },
    {
      name: 'opens a window at the first call, and the next one at the first call after it',
      run: opensNewWindow,
    },
  ],
}

/** Builds an unused rate limit. Its window is long enough for a case to finish within it. */
export function buildRateLimit(changes: Partial<RateLimit> = {}): RateLimit {
  return { key: `app:${newId()}`, limit: 1000, seconds: 60, ...changes }
}

/**
 * A database counts by its own clock, which a test cannot advance. Then the window is one second long, and
 * the case counts until it is over. No other case waits for time to pass.
 */
function opensNewWindow({ gate, advance }: AccessGateContext): Promise<void> {
  return advance ? opensWithClock(60, gate, advance) : opensInTime(1, gate)
}

async function opensWithClock(
  seconds: number,
  gate: AccessGateContext['gate'],
  advance: (seconds: number) => void | Promise<void>,
): Promise<void> {
  const rateLimit = buildRateLimit({ seconds })
  await advance(7)
  const first = await gate.count(rateLimit)
  expect(first, 'the first call').toMatchObject({ used: 1, retryAfterSeconds: seconds })
  await advance(seconds - 1)
  expect(await gate.count(rateLimit), 'in the last second').toEqual({
    limit: rateLimit.limit,
    used: 2,
    resetsAt: first.resetsAt,
    retryAfterSeconds: 1,
  })
  await advance(1)
  expect(await gate.count(rateLimit), 'as the window closes').toEqual({
    limit: rateLimit.limit,
    used: 1,
    resetsAt: first.resetsAt + seconds,
    retryAfterSeconds: seconds,
  })
  await advance(seconds * 10)
  expect(await gate.count(rateLimit), 'long after').toEqual({
    limit: rateLimit.limit,
    used: 1,
    resetsAt: first.resetsAt + seconds * 11,
    retryAfterSeconds: seconds,
  })
}

async function opensInTime(seconds: number, gate: AccessGateContext['gate']): Promise<void> {
  const rateLimit = buildRateLimit({ seconds })
  const first = await gate.count(rateLimit)
  expect(first, 'the first call').toMatchObject({ used: 1, retryAfterSeconds: 1 })
  let before: RateLimitStatus = first
  for (;;) {
    const next = await gate.count(rateLimit)
    if (next.used === 1) {
      expect(next.resetsAt, 'resetsAt of the next window').toBeGreaterThan(first.resetsAt)
      return
    }
    expect(next, 'within the window').toEqual({
      limit: rateLimit.limit,
      used: before.used + 1,
      resetsAt: first.resetsAt,
      retryAfterSeconds: 1,
    })
    before = next
  }
}
